package io.bloomgate.gateway.page;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.name.Role;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The frame of each page, for the templates. Immutable.
 *
 * @param current the path of the page, which the navigation marks
 * @param user the owner of the token; empty for the token of {@code admin.token_file}
 * @param role of the user
 * @param formToken is sent with each form; empty for a program
 * @param outcome of the last change, {@code null} for none
 * @param zone for moments
 */
record Shell(
    String current,
    String user,
    Role role,
    String formToken,
    @Nullable Answer outcome,
    Instant now,
    ZoneId zone) {

  /** True when the user may change everything. */
  boolean mayWrite() {
    return role.covers(Role.ADMIN);
  }

  /** True when the user may add an entry to this list. */
  boolean mayAdd(String list) {
    return mayWrite() || (role.covers(Role.SUPPORT) && list.equals("allow"));
  }

  /** True when the user may remove an entry of this author from this list. */
  boolean mayRemove(String list, String author) {
    return mayWrite() || (mayAdd(list) && author.equals(Questions.author(user, role)));
  }

  /** The user and what the user may do, for the head of the page. */
  String who() {
    return mayWrite()
        ? user
        : (user + " (" + (role == Role.READ ? "read only" : role.key()) + ")").strip();
  }
}
