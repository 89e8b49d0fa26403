package io.bloomgate.gateway.admin;

import io.bloomgate.config.name.Role;
import io.bloomgate.config.notation.Rate;
import io.bloomgate.config.settings.AdminSettings;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import io.bloomgate.gateway.session.RateTable;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The roles of users that connect to the control socket, by user and group as the kernel names them
 * (SO_PEERCRED), and by the groups that the system's directory has for this user. Without groups in
 * the settings the permissions of the socket say all. With groups, the owner of the socket's file,
 * members of its group and root may do everything. Asked once a connection, on its thread.
 */
public final class SocketRoles {

  private static final Logger LOG = LoggerFactory.getLogger(SocketRoles.class);

  /** Lines in the log about one user who may do nothing. */
  private static final Rate STRANGERS = new Rate(5, Duration.ofSeconds(12));

  /** The names of the user 0, the second where the system has no names of users. */
  private static final Set<String> ROOT = Set.of("root", "0");

  private final Path socket;
  private final @Nullable String readGroup;
  private final @Nullable String supportGroup;
  private final ThreadFactory threads;
  private final RateTable<String> strangers;

  /**
   * Roles by these settings.
   *
   * @param threads makes platform threads: a directory that answers slowly must not keep a carrier
   *     thread from mail
   */
  public SocketRoles(AdminSettings admin, ThreadFactory threads, LongSupplier nanoTime) {
    this.socket = admin.socket();
    this.readGroup = admin.readGroup();
    this.supportGroup = admin.supportGroup();
    this.threads = threads;
    this.strangers = new RateTable<>(nanoTime);
  }

  /** Says at the start which group of the settings is none of the system. */
  public void check() {
    warn("read_group", readGroup);
    warn("support_group", supportGroup);
  }

  private static void warn(String setting, @Nullable String group) {
    try {
      if (group != null) {
        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByGroupName(group);
      }
    } catch (IOException e) {
      LOG.warn("admin.{}: there is no group {} yet; `groupadd {}` makes it", setting, group, group);
    }
  }

  /**
   * The user at the other end of a connection, and its role. Who that is may be asked of a
   * directory too, by the name of the user.
   */
  public Caller of(SocketChannel channel) {
    FutureTask<Caller> asked = new FutureTask<>(() -> ask(channel));
    threads.newThread(asked).start();
    try {
      return asked.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      LOG.debug("who connects to the control socket cannot be known", e);
    }
    return new Caller("", Role.NONE);
  }

  private Caller ask(SocketChannel channel) throws IOException {
    UnixDomainPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED);
    String user = peer.user().getName();
    if ((readGroup == null && supportGroup == null) || ROOT.contains(user)) {
      return new Caller(user, Role.ADMIN);
    }
    Role role = Role.NONE;
    try {
      role = byGroups(peer);
      if (role == Role.NONE && strangers.take(user, STRANGERS)) {
        LOG.warn("{} is in no group that may use the control socket", user);
      }
    } catch (IOException e) {
      LOG.error("the groups of {} cannot be known, so this user may do nothing", user, e);
    }
    return new Caller(user, role);
  }

  private Role byGroups(UnixDomainPrincipal peer) throws IOException {
    PosixFileAttributes file =
        Files.readAttributes(socket, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (peer.user().equals(file.owner())) {
      return Role.ADMIN;
    }
    Set<String> groups = groups(peer);
    String ofSocket = file.group().getName();
    if (groups.contains(ofSocket)
        && !ofSocket.equals(readGroup)
        && !ofSocket.equals(supportGroup)) {
      return Role.ADMIN;
    }
    if (supportGroup != null && groups.contains(supportGroup)) {
      return Role.SUPPORT;
    }
    return readGroup != null && groups.contains(readGroup) ? Role.READ : Role.NONE;
  }

  /**
   * The names of a user's groups, numbers of those that have no name: id(1) asks files and
   * directories, as LDAP by way of NSS. Names may hold spaces, so NUL is between them.
   */
  private static Set<String> groups(UnixDomainPrincipal peer) throws IOException {
    Process id =
        new ProcessBuilder("id", "-Gnz", "--", peer.user().getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String names = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Set<String> groups = new HashSet<>(List.of(names.split("\0", -1)));
    groups.add(peer.group().getName());
    return groups;
  }
}
