"""Finds force pushes in a shell command. It knows the words of git and of the shell, and nothing of the host.

It reads what is written down: behind an alias, a script or `bash -c '...'` it sees no push.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Targets that are no branch's name: whichever is checked out, and all of them.
CURRENT = "HEAD"
EVERY = "*"

# Words that run the command behind them.
RUNNERS = {"!", "{", "command", "do", "else", "env", "exec", "if", "nohup", "sudo", "then", "time", "timeout"}

# Options of git, and of its push, whose value is the next word.
GIT_VALUES = {"-C", "-c", "--git-dir", "--work-tree", "--namespace"}
PUSH_VALUES = {"-o", "--push-option", "--repo", "--receive-pack", "--exec"}

# Options that push all branches.
ALL = {"--all", "--branches", "--mirror"}

# What a shell line is made of; spaces, and quotes that are never closed, are not.
TOKEN = re.compile(
    r"""
      (?P<redirection> \d*[<>]+[&\ \t]* )
    | (?P<comment> \#[^\n]* )
    | (?P<end> [;&|()`\n] )
    | (?P<word> (?: \\. | '[^']*' | "(?:\\.|[^"\\])*" | [^\s;&|()`<>'"\\] )+ )
    """,
    re.VERBOSE | re.DOTALL,
)
QUOTED = re.compile(r"""'([^']*)'|"((?:\\.|[^"\\])*)"|(\\.)""", re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass
class ForcePush:
    """A push that rewrites what the remote has."""

    command: str
    targets: list[str]


def force_pushes(line: str) -> Iterator[ForcePush]:
    """The force pushes in a shell line, in its order."""
    for words in commands(line):
        if targets := rewritten(push_arguments(words)):
            yield ForcePush(" ".join(words), targets)


def push_arguments(words: list[str]) -> list[str]:
    """What `git push` is given, where that is what these words run."""
    rest = iter(after_git(words))
    for word in rest:
        if word in GIT_VALUES:
            next(rest, None)
        elif not word.startswith("-"):
            return list(rest) if word == "push" else []
    return []


def after_git(words: list[str]) -> list[str]:
    """What stands behind `git`, which may itself stand behind assignments and words that run it."""
    run = False
    for at, word in enumerate(words):
        name = word.rpartition("/")[2]
        if name == "git":
            return words[at + 1 :]
        run = run or name in RUNNERS
        if not run and not re.match(r"\w+=", word):
            break
    return []


def rewritten(arguments: list[str]) -> list[str]:
    """The targets that a push with these arguments rewrites."""
    options, names = sorted_out(arguments)
    refspecs = names[1:]  # behind the remote
    force = any(is_force(option) for option in options)
    if force and not ALL.isdisjoint(options):
        return [EVERY]
    if force and not refspecs:
        return [CURRENT]
    return [target(refspec) for refspec in refspecs if force or refspec.startswith("+")]


def sorted_out(arguments: list[str]) -> tuple[list[str], list[str]]:
    """The options among the arguments of a push, without their values, and the rest."""
    options, names = [], []
    rest = iter(arguments)
    for word in rest:
        if word == "--":
            names.extend(rest)
        elif word in PUSH_VALUES:
            next(rest, None)
        else:
            (options if word.startswith("-") else names).append(word)
    return options, names


def is_force(option: str) -> bool:
    if option.startswith("--"):
        return option in ("--force", "--mirror") or option.startswith("--force-with-lease")
    return "f" in option  # alone, or among others as in `-uf`


def target(refspec: str) -> str:
    """What a refspec such as `+HEAD:main` writes to; a lone colon stands for every branch that both sides have."""
    name = refspec.removeprefix("+").rpartition(":")[2]
    name = name.removeprefix("refs/").removeprefix("heads/")
    return {"": EVERY, "@": CURRENT}.get(name, name)


def commands(line: str) -> list[list[str]]:
    """The simple commands of a shell line, each as its words, without quotes and redirections."""
    found: list[list[str]] = [[]]
    file_follows = False
    for token in TOKEN.finditer(line.replace("\\\n", "")):
        if token.lastgroup == "end":
            found.append([])
        elif token.lastgroup == "word" and not file_follows:
            found[-1].append(unquoted(token[0]))
        file_follows = token.lastgroup == "redirection"
    return found


def unquoted(word: str) -> str:
    def plain(part: re.Match[str]) -> str:
        single, double, escaped = part.groups()
        return single if single is not None else ESCAPED.sub(r"\1", double or escaped or "")

    return QUOTED.sub(plain, word)
