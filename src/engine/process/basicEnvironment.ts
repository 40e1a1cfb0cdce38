/** What programs need to run at all, and find: no key is among them. */
const BASIC = new Set(
  [
    'PATH HOME USER LOGNAME SHELL TERM COLORTERM TZ LANG LANGUAGE TMPDIR TEMP TMP CI NO_COLOR FORCE_COLOR',
    'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES USERPROFILE USERNAME',
    'PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES HOMEDRIVE HOMEPATH NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE',
    'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR',
    'LD_LIBRARY_PATH DYLD_LIBRARY_PATH SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE',
    'VIRTUAL_ENV CONDA_PREFIX PYTHONPATH PYTHONHOME PYTHONUTF8 PYTHONIOENCODING PYTHONUNBUFFERED PYTHONHASHSEED',
    'PYTHONDONTWRITEBYTECODE PYENV_ROOT UV_CACHE_DIR NODE_PATH NVM_DIR VOLTA_HOME JAVA_HOME GOPATH GOROOT GOCACHE',
    'CARGO_HOME RUSTUP_HOME DOTNET_ROOT GEM_HOME GEM_PATH BUNDLE_PATH NIX_PATH',
  ].flatMap((line) => line.split(' ')),
);

/** The part of an environment that every program gets. Names have no case on Windows. */
export function basicEnvironment(environment: Readonly<NodeJS.ProcessEnv>): Record<string, string> {
  const kept = Object.entries(environment).flatMap(([name, value]): [string, string][] => {
    const upper = name.toUpperCase();
    return value !== undefined && (BASIC.has(upper) || upper.startsWith('LC_')) ? [[name, value]] : [];
  });
  return Object.fromEntries(kept);
}
