export * from './schema/chats.ts';
export * from './schema/consolidations.ts';
export * from './schema/projects.ts';
export * from './schema/runs.ts';
export * from './schema/work.ts';
