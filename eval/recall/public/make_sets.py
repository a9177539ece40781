"""Makes public sets for `cargo xtask recall --ranking --sets FOLDER`, which nobody wrote who works on Interleaf.

    python3 eval/recall/public/make_sets.py FOLDER

Six sets come from programmers' tools: the memories are the explanations of a tool's errors or rules, and the events
are the messages that it prints for them. Three come from lists of frequent questions in Debian's packages: the
memories are the answers, and the events the questions. The tools and packages are unpacked into a temporary folder;
nothing of them is part of this repository. It needs rustc, npm, and Debian's apt-get and dpkg-deb.

Placeholders of messages become the letter x.
"""

import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PYTHON_PACKAGES = ["pylint==4.0.6", "ruff==0.15.22"]
NODE_PACKAGES = [
    "@typescript-eslint/eslint-plugin@8.73.0",
    "@typescript-eslint/parser@8.73.0",
    "eslint@10.15.0",
    "eslint-plugin-unicorn@80.0.0",
    "typescript@5.9.3",
]
DEBIAN_PACKAGES = ["debian-faq", "perl-doc", "python3.11-doc"]
# The highest number of an error of rustc, with room for new ones.
MAX_RUSTC_ERROR = 850
MIN_EXPLANATION_CHARS = 20
MIN_MESSAGE_CHARS = 9

# Prints the rules of three sets of ESLint as JSON lines: set, name, description, messages.
RULES_OF_ESLINT = """
const { builtinRules } = require("eslint/use-at-your-own-risk");
const unicorn = require("eslint-plugin-unicorn");
const sets = {
  eslint: [...builtinRules],
  unicorn: Object.entries((unicorn.default ?? unicorn).rules),
  "typescript-eslint": Object.entries(require("@typescript-eslint/eslint-plugin").rules),
};
for (const [set, rules] of Object.entries(sets)) {
  for (const [name, { meta }] of rules) {
    console.log(JSON.stringify([set, name, meta.docs?.description ?? "", Object.values(meta.messages ?? {})]));
  }
}
"""

# A rule: its name, its explanation, and its message, if it is known.
Rule = tuple[str, str, str | None]


def main() -> None:
    folder = Path(sys.argv[1]).absolute()
    with tempfile.TemporaryDirectory() as tools:
        python, node = install(Path(tools))
        sets = {
            "rustc": list(rustc_errors()),
            "ruff": list(ruff_rules(python)),
            "pylint": list(pylint_messages(python)),
            **eslint_rules(node),
            **questions(unpack_packages(Path(tools))),
        }
    for name, rules in sets.items():
        write(folder / name, rules)


def install(tools: Path) -> tuple[Path, Path]:
    """Returns the folders of the programs of Python and of the modules of Node."""
    python, node = tools / "python", tools / "node"
    run([sys.executable, "-m", "venv", str(python)])
    run([str(python / "bin/pip"), "install", "--quiet", *PYTHON_PACKAGES])
    node.mkdir()
    run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(node)]
        + NODE_PACKAGES)
    return python / "bin", node


def run(command: list[str], **options) -> str:
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def rustc_errors() -> Iterator[Rule]:
    """Each error of the compiler with its explanation, and the message for the first example in it."""
    codes = [f"E{number:04}" for number in range(1, MAX_RUSTC_ERROR)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        yield from filter(None, pool.map(rustc_error, codes))


def rustc_error(code: str) -> Rule | None:
    explained = subprocess.run(["rustc", "--explain", code], capture_output=True, text=True)
    if explained.returncode != 0:
        return None
    example = re.search(r"```\n(.*?)```", explained.stdout, flags=re.S)
    return code, prose(explained.stdout), message_for(code, example[1]) if example else None


def message_for(code: str, source: str) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "example.rs"
        file.write_text(source)
        command = ["rustc", "--edition", "2021", "--crate-type", "lib", "--emit", "metadata", str(file)]
        # The examples use unstable features.
        environment = {**os.environ, "RUSTC_BOOTSTRAP": "1"}
        compiled = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    message = re.search(rf"^error\[{code}\]: (.*)$", compiled.stderr, flags=re.M)
    return message[1] if message else None


def ruff_rules(python: Path) -> Iterator[Rule]:
    for rule in json.loads(run([str(python / "ruff"), "rule", "--all", "--output-format", "json"])):
        messages = rule["message_formats"]
        if rule["code"] and rule["explanation"] and messages:
            yield rule["code"], prose(rule["explanation"]), without_placeholders(messages[0])


def pylint_messages(python: Path) -> Iterator[Rule]:
    listed = run([str(python / "pylint"), "--list-msgs"])
    for found in re.finditer(r"^:[\w-]+ \((\w+)\): \*(.*?)\*\n((?:  .*\n?)+)", listed, flags=re.M):
        yield found[1], one_line(found[3]), without_placeholders(one_line(found[2]))


def eslint_rules(node: Path) -> dict[str, list[Rule]]:
    sets: dict[str, list[Rule]] = {}
    for line in run(["node", "--eval", RULES_OF_ESLINT], cwd=node).splitlines():
        name, rule, description, messages = json.loads(line)
        message = without_placeholders(messages[0]) if messages else None
        sets.setdefault(name, []).append((rule, description, message))
    return sets


def unpack_packages(tools: Path) -> Path:
    """Returns the folder with the files of the Debian packages."""
    packages, files = tools / "packages", tools / "files"
    packages.mkdir()
    run(["apt-get", "download", "--quiet", *DEBIAN_PACKAGES], cwd=packages)
    for package in packages.glob("*.deb"):
        run(["dpkg-deb", "--extract", str(package), str(files)])
    return files


def questions(files: Path) -> dict[str, list[Rule]]:
    sets = {"debian-faq": debian_faq(files), "perl-faq": perl_faq(files), "python-faq": python_faq(files)}
    return {
        name: [(f"q{number}", answer, question) for number, (question, answer) in enumerate(found)]
        for name, found in sets.items()
    }


def debian_faq(files: Path) -> Iterator[tuple[str, str]]:
    packed = files / "usr/share/doc/debian/FAQ/debian-faq.en.txt.gz"
    text = gzip.decompress(packed.read_bytes()).decode().replace("\N{NO-BREAK SPACE}", " ")
    # The table of contents has its lines indented.
    parts = re.split(r"^\d+\.\d+\. (.+(?:\n(?! *\n).+)*)\n", text, flags=re.M)
    for question, answer in zip(parts[1::2], parts[2::2]):
        if "?" in question:
            yield one_line(question), re.split(r"^Chapter \d+", answer, flags=re.M)[0].strip()


def perl_faq(files: Path) -> Iterator[tuple[str, str]]:
    for page in sorted(files.glob("usr/share/perl/*/pod/perlfaq[1-9].pod")):
        text = re.sub(r"[A-Z]<+ ?(.*?) ?>+", r"\1", page.read_text(errors="replace"))
        for found in re.finditer(r"^=head2 (.+?)\n\n(.*?)(?=^=head|\Z)", text, flags=re.M | re.S):
            yield one_line(found[1]), re.sub(r"^=\w+.*$", "", found[2], flags=re.M).strip()


def python_faq(files: Path) -> Iterator[tuple[str, str]]:
    for page in sorted(files.glob("usr/share/doc/python3.11/html/_sources/faq/*.rst.txt")):
        parts = re.split(r"^([^\n]+)\n[-=^]{4,}\n", page.read_text(), flags=re.M)
        for question, answer in zip(parts[1::2], parts[2::2]):
            if "?" in question:
                markup = r"^\.\. .*$|\.\. \w+::.*|:\w+:|[`*]+|^[-=]{4,}$"
                yield re.sub(r":\w+:|[`*]", "", question), re.sub(markup, "", answer, flags=re.M).strip()


def prose(markdown: str) -> str:
    """The text without its blocks of code."""
    return re.sub(r"```.*?```", "", markdown, flags=re.S).strip()


def one_line(text: str) -> str:
    return " ".join(text.split())


def without_placeholders(message: str) -> str:
    return re.sub(r"\{\{.*?\}\}|\{[^}]*\}|%\(\w+\)\w|%\w", "x", message)


def write(folder: Path, rules: list[Rule]) -> None:
    rules = [rule for rule in rules if len(rule[1]) >= MIN_EXPLANATION_CHARS]
    asked = [rule for rule in rules if rule[2] and len(rule[2]) >= MIN_MESSAGE_CHARS]
    folder.mkdir(parents=True, exist_ok=True)
    memories = [{"id": name, "category": "learning", "text": text} for name, text, _ in rules]
    events = [
        {"occasion": "prompt", "text": message, "kind": "direct", "language": "en", "needs": [name]}
        for name, _, message in asked
    ]
    for file, lines in (("memories.jsonl", memories), ("events.jsonl", events)):
        (folder / file).write_text("".join(json.dumps(line) + "\n" for line in lines))
    print(f"{folder.name}: {len(memories)} memories, {len(events)} events")


if __name__ == "__main__":
    main()
