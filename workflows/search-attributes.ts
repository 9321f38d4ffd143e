import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { searchAttributes } from '../domain/search-attributes.ts';

export const projectAttribute = defineSearchAttributeKey(searchAttributes.project, SearchAttributeType.KEYWORD);
export const statusAttribute = defineSearchAttributeKey(searchAttributes.status, SearchAttributeType.KEYWORD);
export const featureAttribute = defineSearchAttributeKey(searchAttributes.feature, SearchAttributeType.KEYWORD);
export const chatAttribute = defineSearchAttributeKey(searchAttributes.chat, SearchAttributeType.KEYWORD);
