/** Settings of the engine with which a lost job comes back within seconds. */
export const IMPATIENT = {
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  queueCacheIntervalSeconds: 1,
};
