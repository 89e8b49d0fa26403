package io.bloomgate.config.settings;

import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.yaml.Section;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The control socket, the HTTP endpoint and the page for refused senders; null is off. A section of
 * {@link Settings}, read on any thread.
 *
 * @param socketMode POSIX permission bits, 0660 octal by default; with groups 0666, because who is
 *     in them is asked when a user has connected
 * @param readGroup the group whose members may ask; {@code null} for none
 * @param supportGroup the group whose members may also let senders pass for some days
 * @param hosts names under which a browser may ask for the page
 */
public record AdminSettings(
    Path socket,
    int socketMode,
    @Nullable String readGroup,
    @Nullable String supportGroup,
    @Nullable HostPort http,
    @Nullable Path tokenFile,
    @Nullable Path writeTokensFile,
    List<String> hosts,
    @Nullable HostPort why) {

  /** Name of the control socket in {@code state_dir}. */
  private static final String SOCKET_NAME = "control.sock";

  /** Permission of others to write, which for a socket means to connect. */
  private static final int OTHERS_WRITE = 02;

  /** Names of groups as directories have them too: with blanks, or with a domain in front. */
  private static final Values.Reader<String> GROUP =
      Values.matching(
          "name of a group",
          "[^:,\\p{Cntrl}]{0,256}",
          "is not the name of a group",
          "write one of `getent group`");

  /** The path of the control socket. */
  static Path socket(Section admin, Path stateDir) {
    return admin.value(
        "socket", stateDir.resolve(SOCKET_NAME).toString(), Values.socketPath(admin.path()));
  }

  /** Reads the section. */
  static AdminSettings bind(Section s, Path stateDir) {
    Path socket = socket(s, stateDir);
    String readers = s.value("read_group", "", GROUP);
    String support = s.value("support_group", "", GROUP);
    boolean groups = !readers.isEmpty() || !support.isEmpty();
    int mode = s.value("socket_mode", groups ? "0666" : "0660", Values.fileMode());
    checkGroups(s, groups, readers.equals(support), mode, socket, stateDir);
    return admin(s, socket, mode, orNull(readers), orNull(support));
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private static void checkGroups(
      Section s, boolean groups, boolean same, int mode, Path socket, Path stateDir) {
    s.problemIf(
        groups && same,
        "support_group",
        "admin.read_group and admin.support_group are one group",
        "name two; members of the second may do what members of the first may");
    s.warnIf(
        groups && (mode & OTHERS_WRITE) == 0,
        "socket_mode",
        "with this socket_mode only the socket's own group can connect",
        "leave it out: of the others who connect the gateway answers members of the groups");
    s.warnIf(
        groups && socket.startsWith(stateDir),
        "socket",
        "the state directory is closed to the members of admin.read_group and support_group",
        "write admin.socket: " + SettingsFile.SHARED_SOCKET);
    s.warnIf(
        !groups && (mode & OTHERS_WRITE) != 0,
        "socket_mode",
        "everyone on this machine could change lists and modes",
        "write \"0660\" and put administrators into the socket's group");
  }

  private static AdminSettings admin(
      Section s, Path socket, int mode, @Nullable String readers, @Nullable String support) {
    HostPort http = s.orNone("http", "none", Values.hostPort());
    Path token = s.orNull("token_file", s.path());
    KeyFiles.check(s, "token_file", token, SecretFile::read, "chmod 640, one line, one token");
    s.problemIf(
        http != null && token == null && !Names.isLoopback(http.host()),
        "http",
        "admin.http is reachable from other machines and has no token",
        "set admin.token_file, or listen at 127.0.0.1");
    Path writers = s.orNull("write_tokens_file", s.path());
    checkWriters(s, writers, token, http);
    return new AdminSettings(
        socket,
        mode,
        readers,
        support,
        http,
        token,
        writers,
        s.list("hosts", List.of(), Names::domain),
        s.orNone("why", "none", Values.hostPort()));
  }

  private static void checkWriters(
      Section s, @Nullable Path writers, @Nullable Path token, @Nullable HostPort http) {
    if (writers == null) {
      return;
    }
    KeyFiles.check(
        s,
        "write_tokens_file",
        writers,
        TokenFile::read,
        "a line for each person: NAME TOKEN, or NAME TOKEN support; chmod 640");
    s.problemIf(
        token == null,
        "write_tokens_file",
        "there is no page to write on without a token that reads it",
        "set admin.token_file too");
    s.warnIf(
        http != null && !Names.isLoopback(http.host()),
        "write_tokens_file",
        "the page is plain HTTP: beyond this machine its tokens cross the network readable",
        "listen at 127.0.0.1, behind a proxy with TLS or an SSH tunnel");
  }
}
