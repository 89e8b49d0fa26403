package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Settings.Admin;
import io.bloomgate.config.settings.Settings.HostPort;
import java.nio.file.Path;
import java.util.Optional;

/** The section {@code admin}. Pure. */
final class AdminBinder {

  /** Name of the control socket in {@code state_dir}. */
  private static final String SOCKET_NAME = "control.sock";

  /** Permission of others to write, which for a socket means to connect. */
  private static final int OTHERS_WRITE = 02;

  private AdminBinder() {}

  static Admin bind(Section s, Path base, Path stateDir) {
    Path socket =
        s.value("socket", stateDir.resolve(SOCKET_NAME).toString(), Values.socketPath(base));
    int mode = s.value("socket_mode", "0660", Values.fileMode());
    if ((mode & OTHERS_WRITE) != 0) {
      s.warn(
          "socket_mode",
          "everyone on this machine could change lists and modes",
          "write \"0660\" and put administrators into the socket's group");
    }
    HostPort http = s.value("http", "none", AdminBinder::http).orElse(null);
    Path none = Path.of("");
    Path token =
        s.value("token_file", "", text -> text.isEmpty() ? none : Values.path(base).read(text));
    boolean hasToken = !token.equals(none);
    if (http != null && !hasToken && !Names.isLoopback(http.host())) {
      s.problem(
          "http",
          "admin.http is reachable from other machines and has no token",
          "set admin.token_file, or listen at 127.0.0.1");
    }
    return new Admin(socket, mode, http, hasToken ? token : null);
  }

  private static Optional<HostPort> http(String text) throws BadValueException {
    return text.equals("none") ? Optional.empty() : Optional.of(Values.hostPort().read(text));
  }
}
