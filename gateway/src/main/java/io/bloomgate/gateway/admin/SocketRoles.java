package io.bloomgate.gateway.admin;

import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.AdminSettings;
import io.bloomgate.config.settings.Rate;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import io.bloomgate.gateway.linux.UserGroups;
import io.bloomgate.gateway.session.RateTable;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  /** No group has this number (chown(2)). */
  private static final int NO_GROUP = -1;

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
    if (group != null && number(group) == NO_GROUP) {
      LOG.warn("admin.{}: there is no group {} yet; `groupadd {}` makes it", setting, group, group);
    }
  }

  /** The number of a group by its name, or by its number where it has no name. */
  private static int number(@Nullable String group) {
    if (group == null) {
      return NO_GROUP;
    }
    int nameless = group.matches("[0-9]{1,9}") ? Integer.parseInt(group) : NO_GROUP;
    return UserGroups.ofSystem()
        .map(groups -> groups.number(group).orElse(nameless))
        .orElse(nameless);
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
    } catch (IOException | IllegalStateException e) {
      LOG.error("the groups of {} cannot be known, so this user may do nothing", user, e);
    }
    return new Caller(user, role);
  }

  private Role byGroups(UnixDomainPrincipal peer) throws IOException {
    Map<String, Object> file =
        Files.readAttributes(socket, "unix:owner,gid", LinkOption.NOFOLLOW_LINKS);
    if (peer.user().equals(file.get("owner"))) {
      return Role.ADMIN;
    }
    int own = number(peer.group().getName());
    Set<Integer> groups =
        UserGroups.ofSystem()
            .map(system -> system.of(peer.user().getName(), own))
            .orElse(Set.of(own));
    int reading = number(readGroup);
    int supporting = number(supportGroup);
    Object ofSocket = file.get("gid");
    if (groups.contains(ofSocket) && !List.of(reading, supporting).contains(ofSocket)) {
      return Role.ADMIN;
    }
    if (supporting != NO_GROUP && groups.contains(supporting)) {
      return Role.SUPPORT;
    }
    return reading != NO_GROUP && groups.contains(reading) ? Role.READ : Role.NONE;
  }
}
