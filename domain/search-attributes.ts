/** What projects and chats can be found by in Temporal, all keywords; the stack and `longhaul up` register them with the server. */
export const searchAttributes = {
  project: 'LonghaulProject',
  status: 'LonghaulStatus',
  feature: 'LonghaulFeature',
  chat: 'LonghaulChat',
} as const;
