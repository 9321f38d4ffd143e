import type { ShellWord } from './words.ts';

/**
 * Programs that run a command among their arguments. Their options are not known here, so each argument is taken for one that may begin the
 * command.
 */
const wrappers = new Set(
  `abduco alias at bash_completion batch bind builtin bunx busybox bwrap caffeinate capsh cgexec chroot chronic chrt command complete concurrently crontab
  daemon daemonize dbus-launch dbus-run-session direnv doas docker dtach eatmydata entr env exec expect fakeroot faketime fd find firejail flock gdb guix
  hash hyperfine i386 ifne ionice ip kubectl linux32 linux64 logsave ltrace mapfile mise newgrp nice nix-shell nodemon nohup npx nsenter numactl parallel
  perf pipx pkexec pnpx podman prlimit proot proxychains proxychains4 readarray retry rlwrap rr run-parts runcon runuser schroot screen script setarch
  setpriv setsid sg ssh ssh-agent sshpass start-stop-daemon stdbuf strace su sudo systemd-inhibit systemd-nspawn systemd-run taskset time timeout tmux
  torsocks toybox trap tsp uname26 unbuffer unshare uvx valgrind watch watchexec x86_64 xargs xvfb-run`.split(/\s+/),
);

/** Programs that run a command after one of these words. */
const runners: Array<[RegExp, RegExp]> = [
  [/^(npm|pnpm|yarn|bun)$/, /^(exec|x|dlx)$/],
  [/^(pipenv|poetry|uv|pdm|hatch|rye|conda)$/, /^run$/],
  [/^cmake$/, /^-E$/],
];

/** The loader of programs, which runs one that it is given. */
const loader = /^ld(-linux[\w-]*)?\.so(\.\d+)?$/;

/** Wrappers that read whole lines, which are not on the line. */
const readsLines = new Set(['at', 'batch', 'crontab', 'run-parts']);

/** Wrappers that add words to the command, which they read from elsewhere. */
const addsWords = new Set(['entr', 'parallel', 'xargs']);

/** Programs that run lines of shell. */
const shells = new Set([
  'ash',
  'bash',
  'csh',
  'dash',
  'fish',
  'ksh',
  'mksh',
  'posh',
  'rbash',
  'sh',
  'tcsh',
  'yash',
  'zsh',
]);

/** Interpreters of other languages, with their options that are followed by code. */
const interpreters: Array<[RegExp, RegExp]> = [
  [/^(python|pypy)[\d.]*$/, /^-\w*c|^timeit$/],
  [/^perl[\d.]*$/, /^-\w*e/i],
  [/^(ruby|lua|luajit|php|Rscript|julia|elixir|guile|tclsh|osascript)[\d.]*$/, /^-\w*[erR]|^--eval/],
  [/^(node|nodejs|bun|tsx|ts-node)$/, /^-\w*[ep]|^--(eval|print)/],
  [/^deno$/, /^eval$/],
  [/^(expect|pwsh)$/, /^-\w*c|^-e/i],
];

/** Other programs that run commands, with the arguments that make them do so. */
const escapes: Array<[RegExp, RegExp]> = [
  [/^[gmn]?awk$/, /system|getline|\||^-[fel]|^--(file|exec|include|load)|@/],
  [/^g?sed$/, /^-\w*f|^--file|(^|[;{}\n\d$/])[^\S\n]*e(\s|$)|[^\w\s][gIpimM\d]*e[gIpimM\d]*\s*($|[;}\n])/],
  [/^(vim?|nvim|ex|view|ed|emacs)$/, /^/],
  [
    /^tar$/,
    /^--(checkpoint-action|to-command|use-compress-program|rsh-command|info-script|new-volume-script)|^-\w*[IF]/,
  ],
  [
    /^git$/,
    /alias\.|\.(pager|editor|sshCommand|fsmonitor|hooksPath|cmd|textconv|clean|smudge|process|driver|command|helper)\b|^--(exec|upload-pack|receive-pack|config-env|open-files-in-pager)|^-O|^(foreach|bisect|filter-branch|-x)$/i,
  ],
  [/^g?make$/, /^--eval|^SHELL=|^-f-|^-$|^\/dev\//],
  [/^(sqlite3|psql|mysql|gnuplot|octave)$/, /\.shell|\.system|\\!|system/],
  [/^gdb$/, /^-{1,2}(ex|iex|eval|init-eval|x|command)/],
  [/^(less|more|man)$/, /^\+|^-[PH]|^--(pager|html)/],
  [/^(rsync|scp|sftp)$/, /^-\w*[eSo]|^--rs/],
  [/^(sort|split|zip)$/, /^--(compress|filter|unzip)|^-TT/],
  [/^(nc|ncat|netcat|socat)$/, /^-\w*[ec]|^--(exec|sh-exec)|(exec|system|shell):/i],
  [/^cmake$/, /^-P$/],
  [/^enable$/, /^-\w*f/],
  [/^alias$/, /=/],
];

/** Variables of which a shell, the loader, git or an interpreter runs the value. */
const codeVariable =
  /^(BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|LD_\w+|SHELLOPTS|GIT_\w+|EDITOR|VISUAL|\w*PAGER|LESS(OPEN|CLOSE)|RSYNC_RSH|MAKEFLAGS|NODE_OPTIONS|PYTHON\w+|PERL5\w+|RUBYOPT)$/;

/** The program's name without its folder. */
export function programOf({ text }: ShellWord): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

export function isWrapper(word: ShellWord): boolean {
  return wrappers.has(programOf(word)) || loader.test(programOf(word));
}

/** The arguments of a command that may begin another command. */
export function wrappedBy(name: ShellWord, args: readonly ShellWord[]): readonly ShellWord[] {
  if (isWrapper(name)) return args;
  const word = runners.find(([programs]) => programs.test(programOf(name)))?.[1];
  const index = word ? args.findIndex(({ text }) => word.test(text)) : -1;
  return index < 0 ? [] : args.slice(index + 1);
}

export function isShell(word: ShellWord): boolean {
  return shells.has(programOf(word));
}

/** Whether a wrapper's command has words that are not on the line. */
export function readsWords(word: ShellWord): boolean {
  return addsWords.has(programOf(word));
}

/** Whether a program runs lines of shell that it reads. */
export function readsScript(name: ShellWord): boolean {
  return readsLines.has(programOf(name));
}

/** Whether a command runs code of another language, which may run anything, from its arguments or its input. */
export function runsOtherCode(name: ShellWord, args: readonly ShellWord[]): boolean {
  const program = programOf(name);
  const texts = ['', ...args.map(({ text }) => text)];
  if (escapes.some(([programs, signs]) => programs.test(program) && texts.some((text) => signs.test(text))))
    return true;
  const found = interpreters.find(([programs]) => programs.test(program));
  if (!found || isQuestion(args)) return false;
  const readsInput = args.every(({ text }) => text.startsWith('-'));
  return readsInput || args.some(({ text }) => found[1].test(text));
}

/** Whether a program is only asked about itself. */
export function isQuestion(args: readonly ShellWord[]): boolean {
  const [only] = args;
  return args.length === 1 && only !== undefined && /^(--version|--help|-V|-v|-h)$/.test(only.text);
}

/** Whether a variable's value is run. */
export function namesCode(variable: string): boolean {
  return codeVariable.test(variable);
}
