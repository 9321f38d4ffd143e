/** The search attributes that Longhaul's workflows set; all are keywords. */
export const searchAttributes = ['LonghaulProject', 'LonghaulStatus', 'LonghaulFeature'];
