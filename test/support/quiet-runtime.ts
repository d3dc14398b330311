import pino from 'pino';
import { installRuntime } from '../../workers/telemetry/logger.ts';

// One runtime a test process, whichever files it runs: the SDK's own lines would bury what fails.
installRuntime(pino({ level: process.env['HEDDLE_LOG_LEVEL'] ?? 'silent' }));
