// The schemas of the wire take every value that the code sends. The compiler checks it: a change of a type that a schema would refuse is red.
import { expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { Problem } from '../../../domain/errors/heddle-error.ts';
import type { CalibrationBand } from '../../../domain/report/judges.ts';
import type { Report } from '../../../domain/report/report.ts';
import type { AttemptView } from '../../../domain/types/attempt-view.ts';
import type { ProjectMemory } from '../../../domain/types/basic/memory.ts';
import type { TaskDiff, UndoAnswer } from '../../../domain/types/basic/workspace.ts';
import type { Decision } from '../../../domain/types/decision.ts';
import type { StatusView } from '../../../domain/views/task-status.ts';
import type { AskedDecision } from '../../../client/tasks/task-decisions.ts';
import type { TaskRow } from '../../../client/tasks/task-row.ts';
import type { decision, card } from '../../../client/wire/decision.ts';
import type { attempt, event } from '../../../client/wire/log.ts';
import type { problem } from '../../../client/wire/problem.ts';
import type { memory, project } from '../../../client/wire/project.ts';
import type { status, taskRow } from '../../../client/wire/task.ts';
import type { diff, report, undone } from '../../../client/wire/work.ts';
import type { EventOfTask } from '../../../workflows/task/messages.ts';

test('every type that is sent fits its schema', () => {
  expectTypeOf<StatusView>().toExtend<z.input<typeof status>>();
  expectTypeOf<TaskRow>().toExtend<z.input<typeof taskRow>>();
  expectTypeOf<Decision>().toExtend<z.input<typeof decision>>();
  expectTypeOf<AskedDecision>().toExtend<Omit<z.input<typeof card>, 'links'>>();
  expectTypeOf<EventOfTask>().toExtend<z.input<typeof event>>();
  expectTypeOf<AttemptView>().toExtend<z.input<typeof attempt>>();
  expectTypeOf<Report>().toExtend<z.input<typeof report>>();
  expectTypeOf<TaskDiff>().toExtend<z.input<typeof diff>>();
  expectTypeOf<UndoAnswer>().toExtend<z.input<typeof undone>>();
  expectTypeOf<ProjectMemory>().toExtend<z.input<typeof memory>>();
  expectTypeOf<CalibrationBand>().toExtend<z.input<typeof project>['calibration'][number]>();
  expectTypeOf<Omit<Problem, 'seen'>>().toExtend<z.input<typeof problem>>();
});
