"""protect-branch: before a force push to a protected branch, the person is asked.

This file asks the host and answers; what a force push is, `push` knows.
"""

import json

from componentize_py_types import Err
from wit_world import exports
from wit_world.exports.pre_tool import Event
from wit_world.imports import memory, project, settings
from wit_world.imports.types import Content_Memory, Context, Decision_Ask, Item, Reply

from push import CURRENT, EVERY, ForcePush, force_pushes


class PreTool(exports.PreTool):
    """The layer. Its class has the name of the exported interface."""

    def handle(self, event: Event) -> Reply:
        if event.tool_name == "Bash":
            branches = json.loads(settings.get()).get("branches", ["main", "master"])
            for push in force_pushes(json.loads(event.tool_input)["command"]):
                if branch := rewritten(push, branches):
                    return ask(push, branch)
        return Reply(context=None, decisions=[], notice=None)


def rewritten(push: ForcePush, branches: list[str]) -> str | None:
    """The first of these branches that a push rewrites. Git is asked only when the push names none."""
    for target in push.targets:
        name = project.branch() if target == CURRENT else target
        for branch in branches:
            if name in (branch, EVERY):
                return branch
    return None


def ask(push: ForcePush, branch: str) -> Reply:
    reason = f"`{push.command}` rewrites the protected branch {branch}"
    return Reply(context=constraint(branch), decisions=[Decision_Ask(reason)], notice=None)


def constraint(branch: str) -> Context | None:
    """What the project says about it, in words that a memory would have. Without a grant the layer still asks."""
    try:
        hits = memory.search(f"force push {branch}", CONSTRAINTS, limit=1)
    except Err:
        return None
    items = [Item(Content_Memory(hit.memory.id), hit.relevance) for hit in hits]
    # Urgent, so that it is repeated: history that was overwritten cannot be brought back.
    return Context("What this project says about such a push", items, urgent=True) if items else None


CONSTRAINTS = memory.Filter(
    categories=[memory.Category.CONSTRAINT], tags=[], branch=None, since=None, origins=[], unseen=False
)
