package io.bloomgate.gateway.testkit;

import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request to add entries to a list of the operator, by the names of what it says. */
public final class Addition {

  private final ListKind list;
  private final List<String> subjects;
  private @Nullable String incident;
  private @Nullable String from;
  private @Nullable Instant expires;
  private String reason = "";
  private @Nullable Check scope;
  private boolean anyScope;
  private boolean force;
  private boolean forEver;
  private @Nullable String like;
  private @Nullable Duration unused;

  private Addition(ListKind list, List<String> subjects) {
    this.list = list;
    this.subjects = subjects;
  }

  public static Addition allow(String... subjects) {
    return of(ListKind.ALLOW, List.of(subjects));
  }

  public static Addition block(String... subjects) {
    return of(ListKind.BLOCK, List.of(subjects));
  }

  public static Addition of(ListKind list, List<String> subjects) {
    return new Addition(list, subjects);
  }

  public Addition incident(@Nullable String id) {
    incident = id;
    return this;
  }

  public Addition from(@Nullable String cidr) {
    from = cidr;
    return this;
  }

  public Addition expires(@Nullable Instant at) {
    expires = at;
    return this;
  }

  public Addition reason(String text) {
    reason = text;
    return this;
  }

  public Addition scope(@Nullable Check check) {
    scope = check;
    return this;
  }

  public Addition anyScope(boolean on) {
    anyScope = on;
    return this;
  }

  public Addition force(boolean on) {
    force = on;
    return this;
  }

  public Addition forEver(boolean on) {
    forEver = on;
    return this;
  }

  public Addition like(@Nullable String session) {
    like = session;
    return this;
  }

  public Addition unused(Duration after) {
    unused = after;
    return this;
  }

  public ListAdd request() {
    return new ListAdd(
        list, subjects, incident, from, expires, reason, scope, anyScope, force, forEver, like,
        unused);
  }
}
