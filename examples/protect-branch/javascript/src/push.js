// Finds force pushes in a shell command. It knows the words of git and of the shell, and nothing of the host.
//
// It reads what is written down: behind an alias, a script or `bash -c '…'` it sees no push.

/** Targets that are no branch's name: whichever is checked out, and all of them. */
export const CURRENT = "HEAD";
export const EVERY = "*";

/** Words that run the command behind them. */
const RUNNERS = ["!", "{", "command", "do", "else", "env", "exec", "if", "nohup", "sudo", "then", "time", "timeout"];

/** Options of git, and of its push, whose value is the next word. */
const GIT_VALUES = ["-C", "-c", "--git-dir", "--work-tree", "--namespace"];
const PUSH_VALUES = ["-o", "--push-option", "--repo", "--receive-pack", "--exec"];

/** Options that push all branches. */
const ALL = ["--all", "--branches", "--mirror"];

/** What a shell line is made of; spaces, and quotes that are never closed, are not. */
const TOKEN = new RegExp(
  [
    /(?<redirection>\d*[<>]+[& \t]*)/,
    /(?<comment>#[^\n]*)/,
    /(?<end>[;&|()`\n])/,
    /(?<word>(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s;&|()`<>'"\\])+)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "gs",
);

/** The force pushes in a shell line, in its order, each as `{ command, targets }`. */
export function forcePushes(line) {
  return commands(line)
    .map((words) => ({ command: words.join(" "), targets: rewritten(pushArguments(words)) }))
    .filter(({ targets }) => targets.length > 0);
}

/** What `git push` is given, where that is what these words run. */
function pushArguments(words) {
  const rest = afterGit(words);
  while (rest.length > 0) {
    const word = rest.shift();
    if (GIT_VALUES.includes(word)) rest.shift();
    else if (!word.startsWith("-")) return word === "push" ? rest : [];
  }
  return [];
}

/** What stands behind `git`, which may itself stand behind assignments and words that run it. */
function afterGit(words) {
  let run = false;
  for (const [at, word] of words.entries()) {
    const name = word.split("/").at(-1);
    if (name === "git") return words.slice(at + 1);
    run ||= RUNNERS.includes(name);
    if (!run && !/^\w+=/.test(word)) break;
  }
  return [];
}

/** The targets that a push with these arguments rewrites. */
function rewritten(words) {
  const { options, names } = sortedOut(words);
  const refspecs = names.slice(1); // behind the remote
  const force = options.some(isForce);
  if (force && options.some((option) => ALL.includes(option))) return [EVERY];
  if (force && refspecs.length === 0) return [CURRENT];
  return refspecs.filter((refspec) => force || refspec.startsWith("+")).map(target);
}

/** The options among the arguments of a push, without their values, and the rest. */
function sortedOut(words) {
  const [rest, options, names] = [[...words], [], []];
  while (rest.length > 0) {
    const word = rest.shift();
    if (word === "--") names.push(...rest.splice(0));
    else if (PUSH_VALUES.includes(word)) rest.shift();
    else (word.startsWith("-") ? options : names).push(word);
  }
  return { options, names };
}

/** Whether an option forces: by its name, or as one letter among others, as in `-uf`. */
function isForce(option) {
  return /^--(force|mirror)$|^--force-with-lease|^-[^-]*f/.test(option);
}

/** What a refspec such as `+HEAD:main` writes to; a lone colon stands for every branch that both sides have. */
function target(refspec) {
  const name = refspec.replace(/^\+/, "").split(":").at(-1).replace(/^(refs\/)?(heads\/)?/, "");
  if (name === "") return EVERY;
  return name === "@" ? CURRENT : name;
}

/** The simple commands of a shell line, each as its words, without quotes and redirections. */
function commands(line) {
  const found = [[]];
  let fileFollows = false;
  for (const { groups } of line.replaceAll("\\\n", "").matchAll(TOKEN)) {
    if (groups.end) found.push([]);
    else if (groups.word && !fileFollows) found.at(-1).push(unquoted(groups.word));
    fileFollows = groups.redirection !== undefined;
  }
  return found;
}

function unquoted(word) {
  const plain = (part, single, double) => single ?? (double ?? part).replace(/\\(.)/gs, "$1");
  return word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\./gs, plain);
}
