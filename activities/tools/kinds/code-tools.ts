import { describeNetwork } from '../../../domain/network/describe-network.ts';
import { expectOwner } from '../../../domain/run/run-owner.ts';
import { type CodeLanguage, type CodeResult, executeCode } from '../../../sandbox/code/execute-code.ts';
import { isSandboxError, type SandboxError } from '../../../sandbox/errors.ts';
import type { Dependencies } from '../../dependencies.ts';
import { networkOfChats, openChatSandbox } from '../../sandbox/chat-sandbox.ts';
import { keepImages } from '../../sandbox/keep-images.ts';
import { ranOutOfMemory } from '../out-of-memory.ts';
import type { Tools } from '../tool.ts';

const defaultTimeoutSeconds = 120;

/** Tools that use the sandbox of a chat and its interpreters. */
export function createCodeTools(dependencies: Dependencies): Pick<Tools, 'create_sandbox' | 'execute_code'> {
  return {
    async create_sandbox(_input, { run, id, cancel, detach }) {
      const sandbox = await openChatSandbox(dependencies, expectOwner(run.owner, 'chat'));
      const look = await sandbox.run({ id, script: lookAround, timeoutMs: 30_000, cancel, detach });
      return {
        text: `The sandbox is ready. ${describeNetwork(networkOfChats(dependencies.agents))} ${look.output.text.trim()}`,
        display: sandbox.origin === 'created' ? 'created' : 'exists',
      };
    },

    async execute_code({ language, code, timeout_seconds = defaultTimeoutSeconds }, { run, id, cancel, detach }) {
      const chatId = expectOwner(run.owner, 'chat');
      const sandbox = await openChatSandbox(dependencies, chatId);
      const timeoutMs = timeout_seconds * 1000;
      const result = await executeCode(sandbox, { id, language, code, timeoutMs, cancel, detach }).catch(asMissing);
      if (isSandboxError(result, 'InterpreterMissing')) return { failed: true, text: result.message };
      const folder = dependencies.chatFolder(chatId);
      const kept = await keepImages(sandbox, { id, images: result.images, folder, cancel, detach });
      const parts = [
        ['result', result.result],
        ['output', result.output.trimEnd()],
        ['error', result.error],
        ['images', formatImages(result, kept)],
        ['note', notesOn(result, timeout_seconds).join(' ')],
      ].filter(([, text]) => text);
      return {
        text: parts.map(([name, text]) => `[${name}]\n${text}`).join('\n') || '[no result and no output]',
        failed: result.error !== '' || result.ended !== 'done',
        display: displayOf(language, result, kept),
        ...(kept.size && { pictures: [...kept.values()] }),
      };
    },
  };
}

const lookAround = `python3 --version 2>&1; node --version 2>&1 | sed 's/^/Node /'; echo "/workspace holds:"; ls -A | head -n 30`;

function notesOn({ ended, started, lost, moreImages, outOfMemory }: CodeResult, timeoutSeconds: number): string[] {
  const gone = 'Variables, functions and imports are gone; files are kept.';
  const notes = {
    done: undefined,
    'timed-out': `It was stopped after its timeout of ${timeoutSeconds} s${lost ? `, and so was its interpreter. ${gone}` : '; earlier definitions stay.'}`,
    died: `${outOfMemory ? `It ${ranOutOfMemory}.` : 'The interpreter ended during this call.'} ${gone}`,
    cancelled: 'Stopped by a person.',
    interrupted: `The sandbox stopped while the code ran, and the code was not run again. ${gone}`,
  }[ended];
  return [
    ...(started === 'again'
      ? ['A new interpreter was started for this call; definitions of earlier calls are gone.']
      : []),
    ...(notes === undefined ? [] : [notes]),
    ...(moreImages ? [`${moreImages} more pictures were written but are not listed.`] : []),
  ];
}

function formatImages({ images }: CodeResult, kept: Map<string, string>): string {
  return images
    .map(({ path }) => (kept.has(path) ? `${path} (the person finds it at ${kept.get(path)})` : path))
    .join('\n');
}

function displayOf(
  language: CodeLanguage,
  { result, output, error, ended, outOfMemory }: CodeResult,
  kept: Map<string, string>,
): string {
  // A Python traceback ends with the error, a JavaScript stack starts with it.
  const wrong = error.split('\n').at(language === 'python' ? -1 : 0);
  const said = wrong || result || output;
  const how = outOfMemory ? ranOutOfMemory : ended;
  // They come first: a line may be cut.
  const pictures = kept.size ? `[${[...kept.values()].join(', ')}] ` : '';
  return `${pictures}${ended === 'done' ? '' : `${how} `}${said}`.trim() || 'done';
}

/** A retry cannot provide a missing interpreter; any other error may pass, so it is thrown. */
function asMissing(error: unknown): SandboxError {
  if (isSandboxError(error, 'InterpreterMissing')) return error;
  throw error;
}
