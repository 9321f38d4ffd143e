import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

/** What projects and chats can be found by in Temporal; the stack and `longhaul up` register these attributes with the server. */
export const projectAttribute = defineSearchAttributeKey('LonghaulProject', SearchAttributeType.KEYWORD);
export const statusAttribute = defineSearchAttributeKey('LonghaulStatus', SearchAttributeType.KEYWORD);
export const featureAttribute = defineSearchAttributeKey('LonghaulFeature', SearchAttributeType.KEYWORD);
export const chatAttribute = defineSearchAttributeKey('LonghaulChat', SearchAttributeType.KEYWORD);
