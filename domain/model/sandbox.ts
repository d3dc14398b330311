/** `[sandbox]` of the config: where commands of an agent run. */
export interface SandboxSetting {
  /** `auto`: where it works; `require`: nowhere else; `container`: the host is disposable; `off`: never. */
  mode: 'auto' | 'require' | 'container' | 'off';
  network: boolean;
}
