import { Option } from 'commander';
import { storeNames } from '../../domain/stores/purge.ts';

export function ownerOption(): Option {
  return new Option('--person <id>', "the person's id, as your programs gave it").conflicts('project');
}

export function projectOption(): Option {
  return new Option('--project <project>', 'the id of a project, or its name');
}

export function storesOption(): Option {
  return new Option('--only <stores...>', 'only these stores').choices(storeNames);
}
