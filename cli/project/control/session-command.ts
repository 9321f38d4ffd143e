import type { Command } from 'commander';
import { ClientError } from '../../../client/errors.ts';
import type { SessionStatus } from '../../../domain/project/statuses.ts';
import type { CommandContext } from '../../program/command-context.ts';
import { exitCodes } from '../../program/exit-code.ts';
import { followProject } from '../follow-project.ts';
import { withProject } from '../with-project.ts';

interface SessionOptions {
  feature?: string;
  verifyOnly?: boolean;
  detach?: boolean;
}

export function addSession(program: Command, context: CommandContext): void {
  program
    .command('session')
    .description('run one session, even if the project is paused or has ended')
    .argument('[project]')
    .option('--feature <name>', 'work on this feature instead of the next')
    .option('--verify-only', 'ask no agent: verify what the folder has since the last checkpoint (needs --feature)')
    .option('--detach', 'do not follow it')
    .action(async (reference: string | undefined, { feature, verifyOnly, detach }: SessionOptions) => {
      if (verifyOnly && !feature)
        throw new ClientError('InvalidInput', 'Expected --feature <name> with --verify-only.');
      await withProject(context, reference, async (project) => {
        const [latest] = await project.log({ limit: 1 });
        const { current, status } = await project.status();
        if (current && status === 'ACTIVE') context.note(`Waiting for the session on "${current.feature}" to end.`);
        const asked = project.runSession({ ...(feature && { feature }), ...(verifyOnly && { verifyOnly }) });
        const { untilInterrupted } = await import('../../program/interrupt.ts');
        const standing = `The session still starts when it can; \`longhaul pause ${project.id}\` cancels the request.`;
        const { sessionId, feature: claimed, attempt } = await untilInterrupted(context, asked, standing);
        if (detach) return context.print(`Session ${sessionId}: ${claimed}, attempt ${attempt}`);
        let ended: SessionStatus | undefined;
        const { exitCode } = await followProject(context, project, {
          from: latest?.number ?? 0,
          earlier: 0,
          isOver({ data }) {
            if (data.type !== 'session.ended' || data.session !== sessionId) return false;
            ended = data.status;
            return true;
          },
        });
        if (ended === undefined) context.setExitCode(exitCode || exitCodes.failed);
        else context.setExitCode(ended === 'PASSED' ? exitCodes.done : exitCodes.failed);
      });
    });
}
