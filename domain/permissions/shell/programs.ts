import type { ShellWord } from './words.ts';

/**
 * Programs that run a command among their arguments. Their options are not known here, so each argument is taken for one that may begin the
 * command.
 */
const wrappers = new Set(
  `alias at bash_completion batch bind builtin busybox bwrap caffeinate capsh chroot chrt command complete crontab daemonize dbus-run-session direnv doas
  docker entr env exec expect fakeroot faketime fd find firejail flock gdb guix hash ionice logsave ltrace mapfile mise newgrp nice nix-shell nodemon
  nohup npx nsenter numactl parallel pipx pkexec pnpx podman prlimit proot readarray retry rlwrap run-parts runuser screen script setarch setpriv
  setsid sg ssh sshpass start-stop-daemon stdbuf strace su sudo systemd-run taskset time timeout tmux toybox trap unbuffer unshare uvx watch watchexec
  xargs xvfb-run bunx concurrently`.split(/\s+/),
);

/** Wrappers that add words to the command, which they read from elsewhere. */
const addsWords = new Set(['at', 'batch', 'crontab', 'entr', 'parallel', 'run-parts', 'xargs']);

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
  [/^(python|pypy)[\d.]*$/, /^-\w*c/],
  [/^perl[\d.]*$/, /^-\w*e/i],
  [/^(ruby|lua|luajit|php|Rscript|julia|elixir|guile|tclsh|osascript)[\d.]*$/, /^-\w*[erR]|^--eval/],
  [/^(node|nodejs|bun|tsx|ts-node)$/, /^-\w*[ep]|^--(eval|print)/],
  [/^deno$/, /^eval$/],
];

/** Other programs that run commands, with the arguments that make them do so. */
const escapes: Array<[RegExp, RegExp]> = [
  [/^[gmn]?awk$/, /system|getline|\||^-[fel]|^--(file|exec|include|load)|@/],
  [/^g?sed$/, /^-\w*f|^--file|(^|[;{}\n\d$/])\s*e(\s|$)|[^\w\s][gIpimM\d]*e[gIpimM\d]*\s*($|[;}\n])/],
  [/^(vim?|nvim|ex|view|ed|emacs)$/, /^/],
  [
    /^tar$/,
    /^--(checkpoint-action|to-command|use-compress-program|rsh-command|info-script|new-volume-script)|^-\w*[IF]/,
  ],
  [
    /^git$/,
    /alias\.|\.(pager|editor|sshCommand|fsmonitor|hooksPath|cmd|textconv|clean|smudge|process|driver|command|helper)\b|^--(exec|upload-pack|receive-pack|config-env)|^(foreach|bisect|filter-branch|-x)$/i,
  ],
  [/^g?make$/, /^--eval|^SHELL=|^-f-|^-$|^\/dev\//],
  [/^(sqlite3|psql|mysql|gnuplot|octave)$/, /\.shell|\.system|\\!|system/],
];

/** The program's name without its folder. */
export function programOf({ text }: ShellWord): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

export function isWrapper(word: ShellWord): boolean {
  return wrappers.has(programOf(word));
}

export function isShell(word: ShellWord): boolean {
  return shells.has(programOf(word));
}

/** Whether a wrapper's command has words that are not on the line. */
export function readsWords(word: ShellWord): boolean {
  return addsWords.has(programOf(word));
}

/** Whether a command runs code of another language, which may run anything, from its arguments or its input. */
export function runsOtherCode(name: ShellWord, args: readonly ShellWord[]): boolean {
  const program = programOf(name);
  if (escapes.some(([programs, signs]) => programs.test(program) && args.some(({ text }) => signs.test(text))))
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
