import type { HostDependencies } from './host-dependencies.ts';
import { createRunAgentTool } from './run-agent-tool.ts';
import { createRunCodedAgent } from './run-coded-agent.ts';
import { createRunProgramCall } from './run-program-call.ts';

/** The activities of the process that hosts an agent, on the agent's own task queue. */
export function createHostActivities(dependencies: HostDependencies) {
  return {
    runCodedAgent: createRunCodedAgent(dependencies),
    runAgentTool: createRunAgentTool(dependencies),
    runProgramCall: createRunProgramCall(dependencies),
  };
}

export type HostActivities = ReturnType<typeof createHostActivities>;
