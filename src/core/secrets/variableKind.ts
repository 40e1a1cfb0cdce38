import { nameKind, snakeCase } from './secretNames';

/** What the name of an environment variable tells of its value. */
export type VariableKind =
  | 'secret'
  /** What programs tell of themselves: ids, hashes, places. */
  | 'setting'
  /** Begins with the name of a program, which may have set it, or whoever runs it. */
  | 'program'
  | 'ordinary'
  | 'unknown'
  | 'never';

// Lists instead of patterns: to compile these took most of what making a recorder does.
const listed = (names: string): readonly string[] => names.split(' ');

/** Ids of sessions, terminals and machines, and what programs tell each other: paths of sockets, versions, colours. */
const NEVER = new Set(
  listed(
    'path home pwd oldpwd shell user logname hostname host term colorterm lang language tz display wayland_display ' +
      'xauthority ssh_auth_sock ssh_agent_pid ssh_connection ssh_client ssh_tty gpg_tty gpg_agent_info ls_colors lscolors ' +
      'grep_color grep_colors grep_colour grep_colours tmpdir tmp temp editor visual pager manpath infopath shlvl _ ' +
      'prompt_command mail windowid sty tmux tmux_pane session_manager desktop_session desktop_startup_id gdmsession ' +
      'invocation_id journal_stream systemd_exec_pid managerpid im_config_phase vte_version path_ext pathext comspec ' +
      'systemroot windir os number_of_processors allusersprofile appdata localappdata programdata userprofile username ' +
      'computername logonserver homedrive homepath psmodulepath container_id container securitysessionid ' +
      'securitysecurityid commandmode chrome_desktop appimage appdir machine_id boot_id ' +
      'ps0 ps1 ps2 ps3 ps4 ps5 ps6 ps7 ps8 ps9 less lessopen lessclose lesskey wslenv snap zsh zdotdir onedrive ' +
      'onedriveconsumer onedrivecommercial',
  ),
);
const NEVER_BEGINNINGS = listed(
  'term_ lc_ less_ memory_pressure_ xdg_ dbus_ gnome_ gtk_ gdk_ kde_ qt_ wt_ iterm_ kitty_ wezterm_ alacritty_ konsole_ gjs_ ' +
    'bash_ zsh_ starship_ direnv_ processor_ programfiles commonprogramfiles userdomain wsl_ lima_ apple_ xpc_ __cf ' +
    'launch_ orig_xdg_ original_xdg_ electron_ snap_ flatpak_',
);

/** Words at the end of a name that make the value a secret. */
const SECRET_ENDS = new Set(
  listed(
    'keys passwd passphrase pass pwd pw pat credential credentials creds auth cookie cookies jwt bearer dsn sas webhook ' +
      'webhook_url connection_string connectionstring org org_id organisation organization organisation_id organization_id ' +
      'account_id project_id salt pin otp seed mnemonic license',
  ),
);
const SECRET_ENDINGS = listed('key token tokens secret secrets password passwords');

/** Programs whose variables hold settings. Others begin like them: a secret is told there by its name, or by a value that is no hash. */
const PROGRAMS = new Set(
  listed(
    'npm vscode code node nvm fnm volta yarn pnpm bun deno corepack python py pip pipenv poetry uv conda mamba virtual ' +
      'pyenv rbenv gem bundle ruby java jdk gradle maven sdkman go cargo rust rustup cc cxx ld cmake make homebrew git docker ' +
      'podman kube github gitlab runner actions image imageos ci build circle buildkite travis jenkins teamcity azure_http ' +
      'system agent codespace codespaces gitpod devcontainer remote_containers jest vitest mocha pytest cypress playwright ' +
      'dotnet nuget android chromewebdriver edgewebdriver geckowebdriver selenium vcpkg ant leiningen perflog pipx ghcup ' +
      'bootstrap_haskell accept debian force no log debug otel sentry_release vercel_git netlify heroku_slug heroku_release ' +
      'render_git railway_git source commit tapedeck',
  ),
);

/** Ends of names whose values are no secrets, however they look. */
const ORDINARY_ENDS = new Set(
  listed(
    'version versions model model_name models engine deployment sha sha1 sha256 hash digest checksum commit revision rev ref ' +
      'branch tag tags release build build_id build_number run_id run_number job job_id job_name step workflow pipeline_id ' +
      'attempt dir directory folder path paths root home file files filename cache sock socket bin exe host hostname hosts ' +
      'port ports ip address addr endpoint url urls uri base base_url origin domain proxy region zone cluster namespace ' +
      'environment env stage locale timezone date time timestamp epoch name names title label email mail username user users ' +
      'uid gid pid session_id trace_id traceparent tracestate span_id request_id correlation_id device_id machine uuid guid ' +
      'arch platform os level mode flags options opts args command cmd script feature features theme color colors colour ' +
      'colours format type kind size count limit timeout ttl interval public_key publishable_key cert certs ca_bundle image ' +
      'images tracking_id workspace_id instance_id sourceversion githead vcs_number handle hook nonce integrity shasum range',
  ),
);
/** Keys that are not secret, although their names end like those of secrets. */
const OPEN_KEY = /(?:^|_)(?:public|publishable|primary|foreign|cache|sort|partition|route|object)_key$/;

/** Names of programs' variables that hold an id. */
const ID = new Set(['id']);

export function variableKind(variable: string): VariableKind {
  const name = snakeCase(variable);
  if (NEVER.has(name)) return 'never';
  const isSecret = SECRET_ENDINGS.some((ending) => name.endsWith(ending)) || endsIn(name, SECRET_ENDS);
  if (isSecret || nameKind(variable) !== undefined) return OPEN_KEY.test(name) ? 'ordinary' : 'secret';
  if (NEVER_BEGINNINGS.some((beginning) => name.startsWith(beginning))) return 'never';
  const isOrdinary = endsIn(name, ORDINARY_ENDS);
  if (!beginsIn(name, PROGRAMS)) return isOrdinary ? 'ordinary' : 'unknown';
  return isOrdinary || endsIn(name, ID) ? 'setting' : 'program';
}

/** Whether a name is one of some, or begins with one of them and `_`. */
function beginsIn(name: string, names: ReadonlySet<string>): boolean {
  for (let at = name.indexOf('_'); at !== -1; at = name.indexOf('_', at + 1))
    if (names.has(name.slice(0, at))) return true;
  return names.has(name);
}

/** Whether a name is one of some, or ends with `_` and one of them. */
function endsIn(name: string, names: ReadonlySet<string>): boolean {
  for (let at = name.indexOf('_'); at !== -1; at = name.indexOf('_', at + 1))
    if (names.has(name.slice(at + 1))) return true;
  return names.has(name);
}
