/** Manage Data loads by itself: it is far larger than the other panels. */
import { lazy } from 'react';

export const manageData = async () => {
  const part = await import(/* webpackChunkName: "manage-data" */ 'features/manage-data/manage-data-panel');
  return { default: part.ManageDataPanel };
};

export const ManageDataPanel = lazy(manageData);
