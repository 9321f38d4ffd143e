import type { Agent } from '../../agents/runtime/definition/define-agent.ts';
import type { Dependencies } from '../dependencies.ts';

/** What the process that hosts users' own agents needs. */
export interface HostDependencies
  extends Pick<
    Dependencies,
    'database' | 'models' | 'modelOf' | 'callSettingsOf' | 'answers' | 'prompts' | 'telemetry'
  > {
  /** The rules of a person, and how long requests wait. */
  permissions: Dependencies['agents']['permissions'];
  /** The agent whose runs this worker takes. */
  agent: Agent;
}
