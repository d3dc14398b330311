/** `[sandbox]` of the config: where commands of an agent run. */
export interface SandboxSetting {
  /** `auto`: where it works; `require`: nowhere else; `container`: the host is disposable; `off`: never. */
  mode: 'auto' | 'require' | 'container' | 'off';
  network: boolean;
}

/** Where the config says nothing. */
export const defaultSandbox: SandboxSetting = { mode: 'auto', network: false };
