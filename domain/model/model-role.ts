import { roles } from '../run/role.ts';

/** Roles that use a text model: those of the agents, and those without an agent. */
export const textRoles = [...roles, 'summarizer'] as const;

export type TextRole = (typeof textRoles)[number];

/** Every role that can name a model; embedding asks for vectors, which the models of the other roles do not make. */
export const modelRoles = [...textRoles, 'embedding'] as const;

export type ModelRole = (typeof modelRoles)[number];
