import { findScriptCalls } from './script-calls.ts';

const linters = 'eslint|biome|prettier|tsc|ruff|flake8|mypy|pyright|pylint|black|isort';
const tools =
  'shellcheck|py_compile|compileall|node\\s+(?:--check|-c)|(?:ba|da|z)?sh\\s+-n|grep|test|\\[|ls|cat|wc|diff|cmp|echo|printf|cd|mkdir|cp|mv|rm|touch|true|:|g?cc|g\\+\\+|clang(\\+\\+)?|go\\s+(build|vet)|cargo\\s+(build|check|fmt|clippy)|webpack|rollup|esbuild|(vite|next)\\s+build';
const before = String.raw`^[@+-]*(\w+=\S*\s+)*(npx\s+|python3?\s+-m\s+)?`;
const looking = new RegExp(`${before}(${linters}|${tools})(\\s[^$\`]*)?$`);
const linting = new RegExp(`${before}(${linters})(\\s|$)`);

const collecting = new RegExp(`${before}(pytest|py\\.test)\\s([^$\`]*\\s)?--(collect-only|co)(\\s[^$\`]*)?$`);

/** Whether each part of a command only looks at files, writes them or compiles them: it runs no check. */
export function onlyLooks(command: string): boolean {
  const looks = (part: string) => part === '' || looking.test(part) || collecting.test(part);
  return !/[<>]\(/.test(command) && partsOf(command).every(looks);
}

/** Whether a command runs a linter, or calls a script whose name says so. */
export function lints(command: string): boolean {
  const scripts = findScriptCalls(command).flatMap(({ names }) => names);
  return (
    scripts.some((name) => /lint|typ(e|ing)s?|format|fmt/i.test(name)) ||
    partsOf(command).some((part) => linting.test(part))
  );
}

function partsOf(command: string): string[] {
  return command.split(/&&|\|\||[;\n|]/).map((part) => part.trim());
}
