import { roles } from '../run/role.ts';

/** Roles that are asked for text: those of the agents, and those that a model fills without an agent. */
export const textRoles = [...roles, 'summarizer'] as const;

export type TextRole = (typeof textRoles)[number];

/** Every role that can name a model; embedding asks for vectors, which the models of the other roles do not make. */
export const modelRoles = [...textRoles, 'embedding'] as const;

export type ModelRole = (typeof modelRoles)[number];
