import { networkInterfaces } from 'node:os';

/** A program of others may call anybody whom it can reach. */
export function refuseNetwork(): void {
  if (Object.keys(networkInterfaces()).some((name) => name !== 'lo'))
    throw new Error('these tests run in a network namespace with loopback alone: npm run test:clis');
}

/** With another address gemini asks for its way to log in, which only a file can tell; and it reports its use. */
export const geminiSettings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
};
