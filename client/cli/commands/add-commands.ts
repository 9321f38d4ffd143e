import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { addAbandon } from './abandon.ts';
import { addAgents } from './agents.ts';
import { addBudget } from './budget.ts';
import { addChat } from './chat.ts';
import { addChats } from './chats.ts';
import { addCheckpoints } from './checkpoints.ts';
import { addConfig } from './config.ts';
import { addDecisions } from './decisions.ts';
import { addDiff } from './diff.ts';
import { addDown } from './down.ts';
import { addFeatures } from './features.ts';
import { addInit } from './init.ts';
import { addList } from './list.ts';
import { addLog } from './log.ts';
import { addMemory } from './memory.ts';
import { addModels } from './models.ts';
import { addOpen } from './open.ts';
import { addPause } from './pause.ts';
import { addPrompts } from './prompts.ts';
import { addPs } from './ps.ts';
import { addReport } from './report.ts';
import { addResume } from './resume.ts';
import { addRevert } from './revert.ts';
import { addRun } from './run.ts';
import { addSandbox } from './sandbox.ts';
import { addSession } from './session.ts';
import { addSessions } from './sessions.ts';
import { addSetup } from './setup.ts';
import { addStart } from './start.ts';
import { addStatus } from './status.ts';
import { addSteer } from './steer.ts';
import { addTools } from './tools.ts';
import { addTranscript } from './transcript.ts';
import { addUp } from './up.ts';

/**
 * Adds one command to a program. The command's file here declares its options and, if short, its action; a longer action is in `..`, or for a group
 * of commands in `../<group>-commands.ts`, and is loaded when it runs.
 */
export type AddCommand = (program: Command, context: CommandContext) => void;

const groups: Array<[heading: string, add: AddCommand[]]> = [
  ['Work:', [addStart, addPause, addResume, addAbandon, addSession, addRevert, addBudget, addSteer]],
  [
    'See:',
    [
      addList,
      addStatus,
      addFeatures,
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
  ['Talk:', [addChat, addChats, addTools, addAgents, addRun]],
  ['Stack:', [addUp, addDown, addPs, addSetup, addSandbox, addInit, addConfig, addModels, addPrompts]],
];

export function addCommands(program: Command, context: CommandContext): void {
  for (const [heading, adds] of groups) {
    program.commandsGroup(heading);
    for (const add of adds) add(program, context);
  }
}
