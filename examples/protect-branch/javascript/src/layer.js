// protect-branch: before a force push to a protected branch, the person is asked.
//
// This file asks the host and answers; what a force push is, `push.js` knows.

import { search } from "interleaf:layer/memory@0.1.0";
import { branch as currentBranch } from "interleaf:layer/project@0.1.0";
import { get as settings } from "interleaf:layer/settings@0.1.0";

import { CURRENT, EVERY, forcePushes } from "./push.js";

/** The layer: an object with the name of the exported interface. */
export const preTool = {
  handle({ toolName, toolInput }) {
    if (toolName !== "Bash") return { decisions: [] };
    const { branches = ["main", "master"] } = JSON.parse(settings());
    for (const push of forcePushes(JSON.parse(toolInput).command)) {
      const branch = rewritten(push, branches);
      if (branch) return ask(push, branch);
    }
    return { decisions: [] };
  },
};

/** The first of these branches that a push rewrites. Git is asked only when the push names none. */
function rewritten({ targets }, branches) {
  for (const target of targets) {
    const name = target === CURRENT ? currentBranch() : target;
    const branch = branches.find((branch) => name === branch || name === EVERY);
    if (branch) return branch;
  }
}

function ask(push, branch) {
  const reason = `\`${push.command}\` rewrites the protected branch ${branch}`;
  return { context: constraint(branch), decisions: [{ tag: "ask", val: reason }] };
}

/** What the project says about it, in words that a memory would have. */
function constraint(branch) {
  const items = constraints(`force push ${branch}`).map(({ memory, relevance }) => ({
    content: { tag: "memory", val: memory.id },
    relevance,
  }));
  // Urgent, so that it is repeated: history that was overwritten cannot be brought back.
  return items.length > 0 ? { heading: "What this project says about such a push", items, urgent: true } : undefined;
}

/** Without a grant for memories there are none, and the layer still asks. */
function constraints(query) {
  try {
    return search(query, { categories: ["constraint"], tags: [], origins: [], unseen: false }, 1);
  } catch {
    return [];
  }
}
