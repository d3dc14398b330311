/** One route as `ip -json -details` prints it: with its kind, and without a gateway where the place is next to this machine. */
interface Route {
  type: string;
  dst: string;
  /** Devices that it leads through; several where it is shared out among gateways. */
  devices: string[];
  isNext: boolean;
}

/** Kinds of routes that end at this machine itself. */
const ownKinds = new Set(['local', 'broadcast', 'anycast', 'multicast']);

/**
 * Places that no machine elsewhere has: "this network", link-local (where clouds hand out credentials of the machine), multicast and
 * reserved, of which some also lead to this machine.
 */
const neverOutside = ['0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'];

/** Most routes that are closed one by one; a machine has a few addresses. */
const mostRoutes = 4_096;

/**
 * Lists the networks that a command must not reach, by the routes of this machine (`ip -4 -json -details route show table all`): its own
 * addresses, and the networks next to it that are no way out, which are those of its containers and virtual machines. Throws where the
 * text is not such a list: an unknown network is not open.
 */
export function closedNetworks(text: string): string[] {
  const listed: unknown = JSON.parse(text);
  if (!Array.isArray(listed)) throw new Error('there is no list of routes');
  const routes = listed.map(readRoute);
  const waysOut = new Set(routes.filter(({ dst }) => dst === 'default').flatMap(({ devices }) => devices));
  const closed = routes.filter((each) => isOwn(each) || isBeside(each, waysOut)).map(({ dst }) => dst);
  const networks = [...new Set([...neverOutside, ...closed])].filter((network) => !network.startsWith('127.'));
  const odd = networks.find((network) => !/^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?$/.test(network));
  if (odd !== undefined) throw new Error(`${JSON.stringify(odd)} is not a network`);
  if (networks.length > mostRoutes) throw new Error(`this machine has more than ${mostRoutes} addresses`);
  return networks;
}

function readRoute(value: unknown): Route {
  if (!isRecord(value) || typeof value['dst'] !== 'string') throw new Error('a route has no destination');
  const { type = 'unicast', dst, gateway, via, nexthops } = value;
  if (typeof type !== 'string') throw new Error(`the route to ${dst} has no type`);
  const hops = Array.isArray(nexthops) ? nexthops.filter(isRecord) : [];
  const devices = [value, ...hops].map(({ dev }) => dev).filter((dev) => typeof dev === 'string');
  const isNext = gateway === undefined && via === undefined && nexthops === undefined;
  return { type, dst, devices, isNext };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isOwn = ({ type }: Route): boolean => ownKinds.has(type);

const isBeside = ({ type, dst, devices, isNext }: Route, waysOut: ReadonlySet<string>): boolean =>
  type === 'unicast' && isNext && dst !== 'default' && !devices.some((device) => waysOut.has(device));
