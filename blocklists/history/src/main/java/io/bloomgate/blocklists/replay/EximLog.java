package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.replay.LogClock.Stamped;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Main logs of Exim: arrivals, deliveries and refusals, joined by message id. Called by {@link
 * LogReplay}.
 */
final class EximLog extends LogParser {

  /** Refused recipients of one client and sender within this time are one session. */
  private static final Duration ONE_SESSION = Duration.ofMinutes(1);

  private final OpenMails<LoggedMail> mails = new OpenMails<>(_ -> givenUp++);

  /**
   * The time when a client and sender were refused last; those that are pushed out have no mail
   * open.
   */
  private final OpenMails<Instant> refused = new OpenMails<>(_ -> {});

  EximLog(Consumer<LoggedMail> sink) {
    super(sink);
  }

  /** A client as {@code H=name (helo) [address]:port}; a name without HELO said that name. */
  private record Host(String address, String name, @Nullable String helo) {

    static @Nullable Host of(String text) {
      int begin = text.startsWith("H=") ? 0 : text.indexOf(" H=") + 1;
      int open = text.indexOf('[', begin);
      // A literal in HELO is in round brackets.
      int round = text.indexOf('(', begin);
      int end = round < 0 ? -1 : text.indexOf(") [", round);
      boolean said = round >= 0 && end >= 0 && round < open;
      if (said) {
        open = end + 2;
      }
      int close = text.indexOf(']', open + 1);
      if (!text.startsWith("H=", begin) || open < 0 || close < 0) {
        return null;
      }
      String name = text.substring(begin + 2, said ? round : open).strip();
      String helo = said ? text.substring(round + 1, end) : name;
      return new Host(text.substring(open + 1, close), name, helo.isEmpty() ? null : helo);
    }

    void into(LoggedMail mail) {
      mail.client(address);
      mail.name(name);
      mail.helo(helo);
    }
  }

  @Override
  boolean line(String text, LogClock clock) {
    Stamped stamped = clock.read(text);
    if (stamped == null) {
      return false;
    }
    // What is before the event: the process, by log_selector +pid; the tag of syslog and a second
    // time.
    String rest = stamped.rest();
    int last = Math.min(rest.length(), LogText.MAX_BEFORE);
    for (int at = 0; at < last; at = rest.indexOf(' ', at) + 1) {
      int space = rest.indexOf(' ', at);
      boolean ofMail = space > 0 && isId(rest.substring(at, space));
      if (ofMail || rest.startsWith("H=", at)) {
        String id = ofMail ? rest.substring(at, space) : "";
        event(stamped.at(), id, rest.substring(ofMail ? space + 1 : at));
        return true;
      }
      if (space < 0) {
        break;
      }
    }
    return isOwnLine(rest);
  }

  private void event(Instant at, String id, String event) {
    if (isRefusal(event)) {
      refused(at, id, event);
    } else if (!id.isEmpty()) {
      ofMail(at, id, event);
    }
  }

  /** {@code 1tDxyz-000abc-1A}, and the longer ids since 4.97. */
  private static boolean isId(String word) {
    String[] parts = word.split("-", 4);
    return parts.length == 3
        && LogText.isId(parts[0], 6, 6)
        && LogText.isId(parts[1], 6, 11)
        && LogText.isId(parts[2], 2, 4);
  }

  private static boolean isOwnLine(String event) {
    return event.startsWith("exim ")
        || event.startsWith("Start queue run")
        || event.startsWith("End queue run")
        || event.startsWith("SMTP ")
        || event.startsWith("no host name found")
        || event.startsWith("TLS error");
  }

  private static boolean isRefusal(String event) {
    int host = event.startsWith("H=") ? 0 : event.indexOf(" H=");
    return host >= 0 && event.indexOf(" rejected ", host) >= 0 && !event.startsWith("<= ");
  }

  private void refused(Instant at, String id, String event) {
    Host host = Host.of(event);
    if (host == null) {
      return;
    }
    LoggedMail mail = new LoggedMail(at, id);
    host.into(mail);
    int verb = event.indexOf(" rejected ");
    String from = LogText.between(event, " F=<", ">");
    if (from == null) {
      from = LogText.between(event.substring(verb), " MAIL <", ">");
    }
    mail.from(from);
    String to = LogText.between(event.substring(verb), " RCPT <", ">");
    if (to != null) {
      mail.to(to);
    }
    String adverb = " temporarily";
    boolean forNow = verb >= adverb.length() && event.startsWith(adverb, verb - adverb.length());
    mail.refusal = Refusal.of(event.substring(forNow ? verb - adverb.length() : verb));
    if (!id.isEmpty()) {
      mails.remove(id);
    }
    String key = LogText.domain(host.address) + " " + (from == null ? null : LogText.address(from));
    Instant last = refused.get(key);
    if (last == null || !id.isEmpty() || last.plus(ONE_SESSION).isBefore(at)) {
      sink.accept(mail);
    }
    refused.put(key, at);
  }

  private void ofMail(Instant at, String id, String event) {
    if (event.startsWith("<= ")) {
      arrived(at, id, event);
      return;
    }
    LoggedMail mail = mails.get(id);
    if (mail == null) {
      return;
    }
    if (event.startsWith("=> ") || event.startsWith("-> ") || event.startsWith(">> ")) {
      mail.delivered++;
      to(mail, event);
    } else if (event.startsWith("** ")) {
      mail.failed++;
      to(mail, event);
    } else if (event.startsWith("Completed")) {
      mails.remove(id);
      sink.accept(mail);
    }
  }

  private void arrived(Instant at, String id, String event) {
    LoggedMail mail = new LoggedMail(at, id);
    String from = event.split(" ", 3)[1];
    mail.from(from.equals("<>") ? "" : from);
    Host host = Host.of(event);
    if (host == null) {
      mail.own = true;
    } else {
      host.into(mail);
      mail.own = event.indexOf(" A=", event.indexOf("H=")) >= 0;
    }
    mail.whole = true;
    mails.put(id, mail);
  }

  /** {@code bob <bob@example.com> R=...}: the address of the envelope is between the brackets. */
  private static void to(LoggedMail mail, String event) {
    int router = event.indexOf(" R=");
    String address = event.substring(3, router < 3 ? event.length() : router);
    String envelope = LogText.between(address, "<", ">");
    mail.to(envelope != null ? envelope : address);
  }

  @Override
  void end() {
    for (LoggedMail mail : mails.drain()) {
      if (mail.failed == 0) {
        // It waits in the queue: the server took it.
        mail.delivered++;
      }
      sink.accept(mail);
    }
  }
}
