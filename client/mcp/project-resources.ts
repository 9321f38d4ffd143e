import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { fence } from '../../agents/fence.ts';
import { LonghaulError } from '../../domain/longhaul-error.ts';
import { scrub } from '../../domain/secrets/scrub.ts';
import { isUnreachable } from '../errors.ts';
import type { ProjectHandle } from '../project/project-handle.ts';
import type { McpOptions } from './mcp-options.ts';
import { renderChecks } from './render-checks.ts';
import { renderRun } from './render-run.ts';

interface ProjectResource {
  name: string;
  description: string;
  /** What follows the project in its address; `{part}` is what `read` gets. */
  path: string;
  mimeType: string;
  read(project: ProjectHandle, part: string): Promise<string>;
}

const resources: ProjectResource[] = [
  {
    name: 'report',
    description: 'The whole story of a project.',
    path: 'report',
    mimeType: 'text/markdown',
    read: (project) => project.report(),
  },
  {
    name: 'transcript',
    description: 'The conversation of a run, e.g. s3-work: what its agent read, said and did.',
    path: 'transcripts/{part}',
    mimeType: 'text/plain',
    read: async (project, run) => renderRun(await project.transcript(run)),
  },
  {
    name: 'diff',
    description: 'What a checkpoint, e.g. c3, changed compared to the one before it.',
    path: 'diffs/{part}',
    mimeType: 'text/x-diff',
    read: async (project, checkpoint) => (await project.diff(checkpoint)).text,
  },
  {
    name: 'checks',
    description: 'How a feature is verified. Of sealed checks it shows what they require.',
    path: 'checks/{part}',
    mimeType: 'text/plain',
    read: async (project, feature) => renderChecks(await project.checks(feature)),
  },
];

/** Serves what can be read of projects, fenced, since agents wrote it. */
export function addProjectResources(server: McpServer, { connect, disconnect, onDefect }: McpOptions): void {
  for (const { name, description, path, mimeType, read } of resources) {
    const list = name === 'report' ? listReports : undefined;
    const template = new ResourceTemplate(`longhaul://projects/{project}/${path}`, { list });
    server.registerResource(name, template, { description, mimeType }, async (uri, variables) => {
      const { project = '', part = '' } = variables as { project?: string; part?: string };
      try {
        const handle = await (await connect()).project(decodeURIComponent(project));
        const text = await read(handle, decodeURIComponent(part));
        return { contents: [{ uri: uri.href, mimeType, text: fence(`the ${name} of ${handle.id}`, scrub(text)) }] };
      } catch (error) {
        if (isUnreachable(error)) disconnect();
        if (!(error instanceof LonghaulError)) onDefect(error);
        throw error;
      }
    });
  }

  async function listReports() {
    const projects = await (await connect()).listProjects();
    return {
      resources: projects.map(({ id, name, status }) => ({
        uri: `longhaul://projects/${id}/report`,
        name: `report of ${id}`,
        title: `${name} (${status})`,
      })),
    };
  }
}
