import {
  chatAttribute,
  featureAttribute,
  projectAttribute,
  statusAttribute,
} from '../../workflows/search-attributes.ts';

/** The names of the search attributes that Longhaul's workflows set; all are keywords. */
export const searchAttributes = [projectAttribute, statusAttribute, featureAttribute, chatAttribute].map(
  (key) => key.name,
);
