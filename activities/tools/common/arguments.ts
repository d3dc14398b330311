import * as z from 'zod';
import { activityLimits } from '../../limits/activity-limits.ts';

/** A path as a model writes it; whether it may be used is found out where it is. */
export const pathArgument = z.string().min(1).max(activityLimits.tools.path);

export const patternArgument = z.string().min(1).max(activityLimits.tools.pattern);
