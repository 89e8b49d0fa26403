package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.settings.DomainFile;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.gateway.admin.GatewayControl.Reload;
import io.bloomgate.gateway.admin.ModeSwitch.ModeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acts that change how the whole gateway runs, each with its record in the audit: mode, drain,
 * resume and reload. An act is done even when its record cannot be written. Called on the threads
 * of control connections, of signals and of housekeeping.
 */
public record RunActs(GatewayControl gateway) {

  private static final Logger LOG = LoggerFactory.getLogger(RunActs.class);

  /** The name in the audit for a reload by signal: the system does not say who sent it. */
  public static final String SIGNAL = "SIGHUP";

  /** The name in the audit for an act at the end of a time. */
  private static final String GATEWAY = "gateway";

  /** Changes that one record names. */
  private static final int MAX_NAMES = 100;

  /** Keys of a feed, a listener or a rule are named together. */
  private static final int NAMED_LEVELS = 3;

  /**
   * The result of an act.
   *
   * @param audited false when its record could not be written
   */
  public record Acted<T>(T outcome, boolean audited) {}

  /** Sets the mode; {@code duration} as in {@link ModeSwitch#set}. */
  boolean mode(Mode wanted, @Nullable Duration duration, String author) {
    Mode before = wanted(gateway.mode().state());
    gateway.mode().set(wanted, duration);
    LOG.warn("mode {} set by {}", wanted.key(), author);
    Instant until = gateway.mode().state().until();
    return note(author, "mode", change(before, wanted) + (until == null ? "" : ", until " + until));
  }

  /** The time of {@code mode --for} is over. */
  public void modeEnded(Mode ended) {
    ModeState now = gateway.mode().state();
    LOG.warn("the time of `bloomgate mode` is over: mode {}", now.effective().key());
    note(GATEWAY, "mode", change(ended, wanted(now)) + ", its time is over");
  }

  boolean drain(String author) {
    boolean before = gateway.sessions().draining();
    LOG.warn("drain asked for by {}: no mail is taken until `bloomgate resume`", author);
    gateway.sessions().drain();
    return before
        || note(
            author,
            "drain",
            "no mail is taken any more, " + gateway.sessions().count() + " sessions");
  }

  /** The outcome is false when the gateway is ending. */
  Acted<Boolean> resume(String author) {
    boolean before = gateway.sessions().draining();
    LOG.info("resume asked for by {}", author);
    boolean resumed = gateway.sessions().resume();
    if (resumed) {
      LOG.info("mail is taken again");
    }
    return new Acted<>(
        resumed, !resumed || !before || note(author, "resume", "mail is taken again"));
  }

  /** Reads the settings again. A reload that changed nothing has a record only if a user asked. */
  public Acted<Reload> reload(String author) {
    return reload(author, false);
  }

  /** The same; {@code acceptDomains} takes files of domains that lost most of their names. */
  Acted<Reload> reload(String author, boolean acceptDomains) {
    LOG.info("reload asked for by {}", author);
    ModeState mode = gateway.mode().state();
    Map<List<String>, String> before = values();
    Reload reload = gateway.reload().apply(acceptDomains);
    if (!reload.done()) {
      return new Acted<>(reload, true);
    }
    List<String> changes = new ArrayList<>();
    if (mode.configured() != gateway.mode().state().configured()) {
      changes.add("mode " + change(mode.configured(), gateway.mode().state().configured()));
    }
    changes.addAll(changed(before, values()));
    if (acceptDomains) {
      changes.add(accepted(gateway.settings().domainSources().files()));
    }
    reload.restartNeeded().forEach(name -> changes.add(name + " (after a restart)"));
    int more = Math.max(0, changes.size() - MAX_NAMES);
    String text =
        changes.isEmpty()
            ? "no setting changed"
            : String.join(", ", changes.subList(0, changes.size() - more))
                + (more > 0 ? " and " + more + " more" : "");
    boolean noted =
        (changes.isEmpty() && author.equals(SIGNAL)) // log rotation sends it each day
            || note(author, "config reload", text);
    return new Acted<>(reload, noted);
  }

  private static String accepted(List<DomainFile> files) {
    String held =
        files.stream()
            .filter(file -> !file.held().isEmpty())
            .map(file -> file.path() + ", which " + file.held())
            .collect(Collectors.joining(", and "));
    return "domains as their files are" + (held.isEmpty() ? "" : ", but for " + held);
  }

  private Map<List<String>, String> values() {
    Map<List<String>, String> values = new HashMap<>();
    for (EffectiveValue value : gateway.valuesInForce().get()) {
      values.put(value.path(), value.value());
    }
    return values;
  }

  /** Names only: an address of a feed may hold a key, and readers of the page see the audit. */
  private static List<String> changed(
      Map<List<String>, String> before, Map<List<String>, String> after) {
    Set<String> old = before.keySet().stream().map(RunActs::name).collect(Collectors.toSet());
    Set<String> now = after.keySet().stream().map(RunActs::name).collect(Collectors.toSet());
    return Stream.concat(before.keySet().stream(), after.keySet().stream())
        .filter(path -> !path.equals(List.of("mode")))
        .filter(path -> !String.valueOf(before.get(path)).equals(String.valueOf(after.get(path))))
        .map(RunActs::name)
        .distinct()
        .sorted()
        .map(name -> name + (!old.contains(name) ? " added" : now.contains(name) ? "" : " removed"))
        .toList();
  }

  private static String name(List<String> path) {
    return String.join(".", path.subList(0, Math.min(NAMED_LEVELS, path.size())));
  }

  /** The mode of settings and commands; the one in force is observe while there are no lists. */
  private static Mode wanted(ModeState state) {
    Mode override = state.override();
    return override == null ? state.configured() : override;
  }

  private static String change(Mode from, Mode to) {
    return from == to ? "stays " + to.key() : from.key() + " to " + to.key();
  }

  /** True when it is written. */
  private boolean note(String author, String command, String subject) {
    return note(gateway, author, command, subject);
  }

  /** Writes an act into the audit; true when it is written. */
  static boolean note(GatewayControl gateway, String author, String command, String subject) {
    try {
      gateway.operator().note(new OperatorLists.Origin(author, command), subject);
      return true;
    } catch (OperatorListsException e) {
      LOG.error("{} {} by {} is not in the audit: {}", command, subject, author, e.getMessage());
      return false;
    }
  }
}
