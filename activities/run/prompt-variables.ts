/** Values for the variables of a run's two prompts. */
export interface PromptVariables {
  instructions: Record<string, string>;
  task: Record<string, string>;
}
