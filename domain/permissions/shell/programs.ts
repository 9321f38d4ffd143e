import type { ShellWord } from './words.ts';

/**
 * Programs that run a command among their arguments. Their options are not known here, so each argument is taken for one that may begin the
 * command.
 */
const wrappers = new Set(
  `abduco alias at bash_completion batch bind builtin bunx busybox bwrap byobu caffeinate capsh catchsegv ccache cgexec choom chpst chronic chroot chrt
  command complete concurrently coreutils cpulimit crontab daemon daemonize dbus-launch dbus-run-session direnv distcc doas docker dtach dumb-init
  eatmydata entr env envdir envuidgid exec execlineb expect fakeroot faketime fd find firejail flock gdb gosu guix hash heaptrack hyperfine i386 ifne
  ionice ip jobs kcov kubectl linux32 linux64 logsave ltrace lxc mapfile mise nerdctl newgrp nice nix-shell nocorrect nodemon noglob nohup npx nsenter
  numactl openvt optirun parallel perf pipx pkexec pnpx podman prlimit proot proxychains proxychains4 pseudo readarray retry rlwrap rr run-one run-parts
  runcon runuser s6-setuidgid sccache schedtool schroot screen script sem setarch setlock setpriv setsid setuidgid sg softlimit ssh ssh-agent sshpass
  start-stop-daemon stdbuf strace su su-exec sudo systemd-inhibit systemd-nspawn systemd-run taskset time timeout tini tmux torsocks toybox trap trickle
  tsp uname26 unbuffer unshare uvx valgrind vglrun watch watchexec with-contenv x86_64 xargs xvfb-run`.split(/\s+/),
);

/** Programs that run a command after one of these words. */
const runners: Array<[RegExp, RegExp]> = [
  [/^(npm|pnpm|yarn|bun)$/, /^(exec|x|dlx|explore)$/],
  [/^(pipenv|poetry|uv|pdm|hatch|rye|conda)$/, /^run$/],
  [/^cmake$/, /^-E$/],
];

/** The loader of programs and emulators, which run one that they are given. */
const loader = /^(ld(-linux[\w-]*)?\.so(\.\d+)?|qemu-\w+)$/;

/** Wrappers that read whole lines, which are not on the line. */
const readsLines = new Set(['at', 'batch', 'crontab', 'run-parts']);

/** Wrappers that run a shell on what they read if no command is given. */
const runsInput = new Set([
  'linux32',
  'linux64',
  'script',
  'setarch',
  'su',
  'sudo',
  'i386',
  'x86_64',
  'uname26',
  'unshare',
]);

/** Wrappers that add words to the command, which they read from elsewhere. */
const addsWords = new Set(['entr', 'parallel', 'xargs']);

/** Programs that run lines of shell. */
const shells = new Set(
  `ash bash csh dash elvish es fish hush ksh lksh mksh nu oksh osh pdksh posh rbash rc sash sh tcsh xonsh yash ysh zsh`.split(
    ' ',
  ),
);

/** Interpreters of other languages, with their options that are followed by code. */
const interpreters: Array<[RegExp, RegExp]> = [
  [/^(python|pypy)[\d.]*$/, /^-\w*[ci]|^(-\w*m)?(timeit|code|cProfile|profile|pdb|trace)$/],
  [/^perl[\d.]*$/, /^-\w*e|^-[mM]/i],
  [/^(ruby|lua|luajit|php|Rscript|julia|elixir|guile|tclsh|osascript)[\d.]*$/, /^-\w*[erR]|^--eval/],
  [/^(node|nodejs|bun|tsx|ts-node)$/, /^-\w*[ep]|^--(eval|print)|\bdata:/],
  [/^deno$/, /^eval$/],
  [/^(expect|pwsh)$/, /^-\w*c|^-e/i],
];

/** Other programs that run commands, with the arguments that make them do so. */
const escapes: Array<[RegExp, RegExp]> = [
  [/^[gmn]?awk$/, /system|getline|\||^-[fel]|^--(file|exec|include|load)|@/],
  [
    /^g?sed$/,
    /^-\w*f|^--file|(^|[;{}\n\d$/,!=~'"I])[^\S\n]*e(\s|$)|^-\w*e\s*e|^(-\w*e)?\s*e\w|[^\w\s][gIpimM\d]*e[gIpimM\d]*\s*($|[;}\n])/,
  ],
  // A command that another letter than / divides may end with the flag e.
  [/^g?sed$/, /(^|[;{}\s\d$/!=])s([\w,])(?!.*\/).*\2.*\2[gIpimM\d]*e/s],
  [/^(vim?|nvim|ex|view|ed|emacs|g?m4|dc|ftp|telnet)$/, /^/],
  [/^tar$/, /^-\w*[IF]/],
  [
    /^git$/,
    /alias\.|\.(pager|editor|sshCommand|fsmonitor|hooksPath|cmd|path|textconv|clean|smudge|process|driver|command|helper|external|program|defaultKeyCommand|uploadpack|receivepack|templateDir)\b|^(--config=|-c)?include(if)?\.|^-[Oxu]|^-\w*x\b|ext::|^(foreach|bisect|filter-branch|for-each-repo|subtree|submodule--helper)$|^--template/i,
  ],
  [/^g?make$/, /^SHELL=|^-\w*E|^-\w*f-|^-$/],
  [/^(sqlite3|psql|mysql|gnuplot|octave)$/, /\.shell|\.system|\\!|system/],
  [/^gdb$/, /^-{1,2}(ex|iex|eval|init-eval|x|command)/],
  [/^(less|more|man)$/, /^\+|^-[PH]|^--(pager|html)/],
  [/^(rsync|scp|sftp)$/, /^-\w*[eSo]|^--rs/],
  [/^zip$/, /^-TT/],
  [/^prove$/, /^-\w*e/],
  [/^(npm|pnpm|yarn)$/, /script-shell/],
  [/^(let|compgen|complete)$/, /[[$`]|^-[CFW]/],
  [/^(nc|ncat|netcat|socat)$/, /^-\w*[ec]|^--(exec|sh-exec)|(exec|system|shell):/i],
  [/^cmake$/, /^-P$/],
  [/^enable$/, /^-\w*f/],
  [/^(gcc|g\+\+|cc|c\+\+|clang(\+\+)?)(-[\d.]+)?$/, /^-(wrapper|fplugin|specs|B)/],
  [/^java$/, /^-XX:On|^-(agent|javaagent)/],
  [/^go$/, /^--?(exec|toolexec|vettool)/],
  [/^cargo$/, /^--config/],
  [/^(apt|apt-get|aptitude)$/, /invoke/i],
  [/^dpkg$/, /-invoke/],
  [/^rpm(build)?$/, /^--(eval|pipe|define)|^-\w*[ED]|%\(/],
  [/^(fzf|sk)$/, /^--(preview|bind)|^-\w*c/],
  [/^alias$/, /=/],
];

/** Options that run a command, which programs also take when they are cut short. */
const longEscapes: Array<[RegExp, string[]]> = [
  [
    /^tar$/,
    [
      '--checkpoint-action',
      '--to-command',
      '--use-compress-program',
      '--rsh-command',
      '--info-script',
      '--new-volume-script',
    ],
  ],
  [/^sort$/, ['--compress-program']],
  [/^split$/, ['--filter']],
  [/^zip$/, ['--unzip-command']],
  [/^g?make$/, ['--eval']],
  [/^prove$/, ['--exec']],
  [/^install$/, ['--strip-program']],
  [/^cpio$/, ['--rsh-command']],
  [/^wget$/, ['--use-askpass']],
  [
    /^git$/,
    ['--exec', '--upload-pack', '--receive-pack', '--config-env', '--open-files-in-pager', '--extcmd', '--template'],
  ],
];

/** Builtins of a shell that take a name of a variable, in whose brackets they compute: what stands there is run. */
const takesNames = /^(test|\[|read|unset|declare|typeset|local|export|readonly|let|mapfile|readarray|getopts|wait)$/;

/** What an interpreter, make or a shell reads as its code although it looks like a file. */
const inputFile = /^-$|\/dev\/(stdin|fd\b|tty)|\/proc\/[^/]+\/fd\b|^[<>]\(/;

/** Variables of which a shell, the loader, git or an interpreter runs the value. */
const codeVariable =
  /^(BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|LD_\w+|SHELLOPTS|GIT_\w+|EDITOR|VISUAL|\w*PAGER|LESS(OPEN|CLOSE)|RSYNC_RSH|MAKEFLAGS|NODE_OPTIONS|PYTHON\w+|PERL5\w+|RUBYOPT|TAR_OPTIONS|BASH_ALIASES|BASH_CMDS|npm_config_script_shell)$/i;

/** The program's name without its folder. */
export function programOf({ text }: ShellWord): string {
  return text.slice(text.lastIndexOf('/') + 1);
}

/** Where GNU's programs stand beside others of the same name, theirs begin with a g. */
export function isWrapper(word: ShellWord): boolean {
  const program = programOf(word);
  return wrappers.has(program) || loader.test(program) || wrappers.has(program.replace(/^g/, ''));
}

/** The arguments of a command that may begin another command. */
export function wrappedBy(name: ShellWord, args: readonly ShellWord[]): readonly ShellWord[] {
  if (isWrapper(name)) return args;
  const word = runners.find(([programs]) => programs.test(programOf(name)))?.[1];
  const index = word ? args.findIndex(({ text }) => word.test(text)) : -1;
  return index < 0 ? [] : args.slice(index + 1);
}

/** By the name of its own process a shell starts itself. */
export function isShell(word: ShellWord): boolean {
  return shells.has(programOf(word)) || /^\/proc\/[^/]+\/exe$/.test(word.text);
}

/** Whether a wrapper's command has words that are not on the line. */
export function readsWords(word: ShellWord): boolean {
  return addsWords.has(programOf(word));
}

/** Whether a program runs lines of shell that it reads. */
export function readsScript(name: ShellWord): boolean {
  return readsLines.has(programOf(name));
}

/** Whether a wrapper without a command runs the lines that it reads. */
export function runsInputAlone(name: ShellWord): boolean {
  return runsInput.has(programOf(name));
}

/** Whether a command runs code of another language, which may run anything, from its arguments or its input. */
export function runsOtherCode(name: ShellWord, args: readonly ShellWord[]): boolean {
  const program = programOf(name);
  const texts = ['', ...args.map(({ text }) => text)];
  if (escapes.some(([programs, signs]) => programs.test(program) && texts.some((text) => signs.test(text))))
    return true;
  if (texts.some((text) => isLongEscape(program, text))) return true;
  // Such as `git push` by another name, which rules on `git` do not know.
  if (/^git-\w/.test(program)) return true;
  if (takesNames.test(program) && args.some(holdsCode)) return true;
  if (program === 'printf' && texts.some((text) => text.startsWith('-v')) && args.some(holdsCode)) return true;
  const found = interpreters.find(([programs]) => programs.test(program));
  const readsFiles = found !== undefined || /^g?make$/.test(program);
  if (readsFiles && args.some(isInput)) return true;
  if (!found || isQuestionOf(program, args)) return false;
  const readsInput = args.every(({ text }) => text.startsWith('-'));
  return readsInput || args.some(({ text }) => found[1].test(text));
}

/** Quoted text in which a shell that computes with it runs what stands in `$( )`. */
export function holdsCode({ parts }: ShellWord): boolean {
  return parts.some((part) => part !== null && /\$\(|`/.test(part));
}

function isLongEscape(program: string, text: string): boolean {
  const [option = ''] = text.split('=');
  if (option.length < 4 || !option.startsWith('--')) return false;
  return longEscapes.some(
    ([programs, options]) => programs.test(program) && options.some((one) => one.startsWith(option)),
  );
}

/** Also a substitution of a process, which is only known when it runs. */
function isInput({ text }: ShellWord): boolean {
  return inputFile.test(text.replace(/^--?\w[\w-]*=|^-\w*f(?=[/<-])/, ''));
}

/** Whether a program is only asked about itself. */
export function isQuestion(args: readonly ShellWord[]): boolean {
  const [only] = args;
  return args.length === 1 && only !== undefined && /^(--version|--help)$/.test(only.text);
}

/** Of these, the short forms are questions too; `-v` has others read on. */
function isQuestionOf(program: string, args: readonly ShellWord[]): boolean {
  const short = /^(node|nodejs|ruby|perl[\d.]*|php|lua)$/.test(program) ? /^-[vh]$/ : /^-[Vh]$/;
  return isQuestion(args) || (args.length === 1 && args[0] !== undefined && short.test(args[0].text));
}

/** Whether a variable's value is run. */
export function namesCode(variable: string): boolean {
  return codeVariable.test(variable);
}
