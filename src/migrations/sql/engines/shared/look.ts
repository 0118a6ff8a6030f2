/** How long a look at what others do or keep may wait, in milliseconds: a run is not to stand still for it. */
export const LOOK_MS = 1000;
