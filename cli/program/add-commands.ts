import type { Command } from 'commander';
import { addAgents } from '../agents/agents-command.ts';
import { addRun } from '../agents/run-command.ts';
import { addRuns } from '../agents/runs-command.ts';
import { addChat } from '../chat/chat-command.ts';
import { addChats } from '../chats/chats-command.ts';
import { addCompletion } from '../completion/completion-command.ts';
import { addAnswer } from '../inbox/answer-command.ts';
import { addInbox } from '../inbox/inbox-command.ts';
import { addMcp } from '../mcp/mcp-command.ts';
import { addMemory } from '../memory/memory-command.ts';
import { addAbandon } from '../project/control/abandon-command.ts';
import { addBudget } from '../project/control/budget-command.ts';
import { addChecks } from '../project/control/checks-command.ts';
import { addPause } from '../project/control/pause-command.ts';
import { addResume } from '../project/control/resume-command.ts';
import { addRevert } from '../project/control/revert-command.ts';
import { addSession } from '../project/control/session-command.ts';
import { addStart } from '../project/control/start-command.ts';
import { addSteer } from '../project/control/steer-command.ts';
import { addCheckpoints } from '../project/inspect/checkpoints-command.ts';
import { addDecisions } from '../project/inspect/decisions-command.ts';
import { addDiff } from '../project/inspect/diff-command.ts';
import { addEvidence } from '../project/inspect/evidence-command.ts';
import { addFeatures } from '../project/inspect/features-command.ts';
import { addList } from '../project/inspect/list-command.ts';
import { addLog } from '../project/inspect/log-command.ts';
import { addOpen } from '../project/inspect/open-command.ts';
import { addReport } from '../project/inspect/report-command.ts';
import { addSessions } from '../project/inspect/sessions-command.ts';
import { addStatus } from '../project/inspect/status-command.ts';
import { addTranscript } from '../project/inspect/transcript-command.ts';
import { addVerify } from '../project/inspect/verify-command.ts';
import { addConfig } from '../settings/config-command.ts';
import { addInit } from '../settings/init-command.ts';
import { addModels } from '../settings/models-command.ts';
import { addPermissions } from '../settings/permissions-command.ts';
import { addPrompts } from '../settings/prompts-command.ts';
import { addSkills } from '../skills/skills-command.ts';
import { addCodec } from '../stack/codec-command.ts';
import { addDown } from '../stack/down-command.ts';
import { addPs } from '../stack/ps-command.ts';
import { addSandbox } from '../stack/sandbox-command.ts';
import { addSetup } from '../stack/setup-command.ts';
import { addUp } from '../stack/up-command.ts';
import { addExport } from '../stores/export-command.ts';
import { addPurge } from '../stores/purge-command.ts';
import { addTasks } from '../tasks/tasks-command.ts';
import { addTools } from '../tools/tools-command.ts';
import type { CommandContext } from './command-context.ts';

/**
 * Adds one command to a program. The command's file here declares its options and, if short, its action; a longer action is in `..`, or for a group
 * of commands in `../<group>-commands.ts`, and is loaded when it runs.
 */
export type AddCommand = (program: Command, context: CommandContext) => void;

const groups: Array<[heading: string, add: AddCommand[]]> = [
  [
    'Work:',
    [
      addStart,
      addPause,
      addResume,
      addAbandon,
      addSession,
      addRevert,
      addBudget,
      addSteer,
      addChecks,
      addInbox,
      addAnswer,
    ],
  ],
  [
    'See:',
    [
      addList,
      addStatus,
      addFeatures,
      addEvidence,
      addVerify,
      addLog,
      addDecisions,
      addSessions,
      addCheckpoints,
      addDiff,
      addTranscript,
      addReport,
      addMemory,
      addOpen,
    ],
  ],
  ['Talk:', [addChat, addChats, addTasks, addTools, addAgents, addSkills, addRun, addRuns, addMcp]],
  [
    'Stack:',
    [
      addUp,
      addDown,
      addPs,
      addSetup,
      addSandbox,
      addCodec,
      addInit,
      addConfig,
      addModels,
      addPrompts,
      addPermissions,
      addExport,
      addPurge,
      addCompletion,
    ],
  ],
];

export function addCommands(program: Command, context: CommandContext): void {
  for (const [heading, adds] of groups) {
    program.commandsGroup(heading);
    for (const add of adds) add(program, context);
  }
}
