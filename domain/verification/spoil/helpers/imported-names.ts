import { tokensOfJavaScript, tokensOfPython } from '../source-text.ts';

/** A name that a file has from another one. */
export interface ImportedName {
  /** In the other file. */
  name: string;
  /** In this one. */
  local: string;
  /** Ends of the paths without their endings that the other file may have, from the topmost folder on or not. */
  stems: string[];
  isAnywhere: boolean;
}

/** The functions and the like that a check file takes by their names from other files of the repository. */
export function importedNames(path: string, content: string): ImportedName[] {
  return path.endsWith('.py') ? namesOfPython(path, content) : namesOfJavaScript(path, content);
}

/** The one file that a name comes from; undefined if there is none in the repository, or it cannot be told which. */
export function fileOf({ stems, isAnywhere }: ImportedName, paths: readonly string[]): string | undefined {
  const found = paths.filter((path) => {
    const stem = path.replace(/\.[cm]?[jt]sx?$|\.py$/, '');
    return stem !== path && stems.some((one) => stem === one || (isAnywhere && stem.endsWith(`/${one}`)));
  });
  return found.length === 1 ? found[0] : undefined;
}

const pythonImport = /^[ \t]*from[ \t]+(\.*)([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n(]+)/gm;

function namesOfPython(path: string, content: string): ImportedName[] {
  return [...withoutComments(content, tokensOfPython).matchAll(pythonImport)].flatMap(
    ([, dots = '', module = '', names = '']) => {
      const place = module.replaceAll('.', '/');
      const stem = dots ? resolve(path, `${'../'.repeat(dots.length - 1)}${place}`) : place;
      return named(names.replace(/[()]/g, ''), /^(\w+)(?:\s+as\s+(\w+))?$/, [stem, `${stem}/__init__`], !dots);
    },
  );
}

const javascriptImports = [
  /\bimport\s*\{([^{}]*)\}\s*from\s*["'](\.[^"']*)["']/g,
  /\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*require\(\s*["'](\.[^"']*)["']\s*\)/g,
];

function namesOfJavaScript(path: string, content: string): ImportedName[] {
  const code = withoutComments(content, tokensOfJavaScript);
  return javascriptImports.flatMap((pattern) =>
    [...code.matchAll(pattern)].flatMap(([, names = '', module = '']) => {
      const stem = resolve(path, module).replace(/\.[cm]?[jt]sx?$/, '');
      return named(names, /^(\w+)(?:(?:\s+as\s+|\s*:\s*)(\w+))?$/, [stem, `${stem}/index`], false);
    }),
  );
}

function named(names: string, form: RegExp, stems: string[], isAnywhere: boolean): ImportedName[] {
  return names.split(',').flatMap((one) => {
    const [, name, local = name] = form.exec(one.trim()) ?? [];
    return name && local ? [{ name, local, stems, isAnywhere }] : [];
  });
}

function withoutComments(content: string, tokens: RegExp): string {
  return content.replace(tokens, (token, string?: string) => string ?? ' '.repeat(token.length));
}

/** A path beside another one, from the topmost folder on. */
function resolve(from: string, relative: string): string {
  const parts = from.split('/').slice(0, -1);
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
