import { fence } from '../../../agents/fence.ts';
import type { Dependencies } from '../../dependencies.ts';
import { readPage } from '../../fetch/read-page.ts';
import { PageError } from '../../fetch/request-page.ts';
import { createRefuseRedirect } from '../judge-page-of.ts';
import { createRulesOf } from '../permit-call.ts';
import type { Tools } from '../tool.ts';

/** Covers all redirects and the conversion to Markdown. */
const timeoutMs = 30_000;
/** About 5,000 tokens. */
const maxCharacters = 20_000;

/** Reads pages of hosts that rules or a person allow. */
export function createFetchTool(dependencies: Pick<Dependencies, 'database' | 'agents'>): Pick<Tools, 'fetch_url'> {
  const rulesOf = createRulesOf(dependencies);
  const refuseRedirect = createRefuseRedirect(dependencies);
  return {
    async fetch_url({ url, offset = 0 }, { run, cancel, detach }) {
      const rules = await rulesOf(run);
      const tooLong = AbortSignal.timeout(timeoutMs);
      try {
        const signal = AbortSignal.any([cancel, detach, tooLong]);
        const { address, text } = await readPage(url, {
          refuseRedirect: (page) => refuseRedirect(run, rules, page),
          signal,
        });
        const part = text.slice(offset, offset + maxCharacters).toWellFormed();
        const nothing = offset
          ? `The page has ${text.length} characters; ${offset} is beyond its end.`
          : `${address} has no text.`;
        const more = offset + maxCharacters < text.length;
        const end = more
          ? `\n\n[characters ${offset} to ${offset + maxCharacters} of ${text.length}; continue with offset ${offset + maxCharacters}]`
          : '';
        return {
          text: `${fence(address, part, nothing)}${end}`,
          display: `${text.length} characters of ${address}`,
        };
      } catch (error) {
        if (error instanceof PageError) return { failed: true, text: error.message };
        if (!tooLong.aborted || cancel.aborted || detach.aborted) throw error;
        return { failed: true, text: `${url} did not answer within ${timeoutMs / 1000} s.` };
      }
    },
  };
}
