package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.blocklists.replay.LogClock.Stamped;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Logs of Haraka: the lines {@code sender}, {@code recipient}, {@code queue} and the summary at
 * disconnect, joined by the connection's UUID. The summary names client and HELO, so a connection
 * counts when it ends. Called by {@link LogReplay}.
 */
final class HarakaLog implements LogParser {

  private static final String CORE = " [core] ";

  /** Mails of one connection; later ones are counted as given up. */
  private static final int MAX_MAILS = 200;

  private static final int FEWEST_OF_UUID = 8;

  private final Consumer<LoggedMail> sink;
  private final OpenMails<Connection> connections = new OpenMails<>();
  private long givenUp;

  /** A connection that has not ended. */
  private static final class Connection {
    private final Map<String, LoggedMail> mails = new LinkedHashMap<>();
    private @Nullable String deniedBy;
  }

  HarakaLog(Consumer<LoggedMail> sink) {
    this.sink = sink;
  }

  @Override
  public boolean line(String text, LogClock clock) {
    int core = text.indexOf("]" + CORE);
    int open = text.lastIndexOf('[', core);
    Stamped stamped = clock.read(text);
    if (core < 0 || open < 0 || stamped == null) {
      return false;
    }
    String id = text.substring(open + 1, core);
    int dot = id.indexOf('.');
    String connection = dot < 0 ? id : id.substring(0, dot);
    if (connection.length() < FEWEST_OF_UUID || connection.indexOf(' ') >= 0) {
      return false;
    }
    event(stamped.at(), connection, id, text.substring(core + 1 + CORE.length()).stripLeading());
    return true;
  }

  private void event(Instant at, String uuid, String id, String event) {
    if (event.startsWith("sender <")) {
      LoggedMail mail = mail(at, uuid, id);
      if (mail != null) {
        mail.from = LogText.between(event, "sender <", "> code=");
      }
    } else if (event.startsWith("recipient <")) {
      LoggedMail mail = mail(at, uuid, id);
      String to = LogText.between(event, "recipient <", "> code=");
      if (mail != null && to != null) {
        mail.to(to);
        mail.from = mail.from == null ? LogText.word(event, " sender=") : mail.from;
      }
    } else if (event.startsWith("queue code=")) {
      LoggedMail mail = mail(at, uuid, id);
      if (mail != null && event.startsWith("queue code=OK")) {
        mail.delivered++;
      }
    } else if (event.startsWith("hook=") && event.contains(" retval=DENY")) {
      connection(uuid).deniedBy = LogText.word(event, " plugin=");
    } else if (event.startsWith("disconnect ip=")) {
      disconnect(at, uuid, event);
    }
  }

  private Connection connection(String uuid) {
    Connection connection = connections.get(uuid);
    if (connection == null) {
      connection = new Connection();
      connections.put(uuid, connection);
    }
    return connection;
  }

  private @Nullable LoggedMail mail(Instant at, String uuid, String id) {
    Map<String, LoggedMail> mails = connection(uuid).mails;
    LoggedMail mail = mails.get(id);
    if (mail == null) {
      if (mails.size() == MAX_MAILS) {
        givenUp++;
        return null;
      }
      mail = new LoggedMail(at, id);
      mails.put(id, mail);
    }
    return mail;
  }

  private void disconnect(Instant at, String uuid, String event) {
    Connection connection = connections.remove(uuid);
    if (connection == null) {
      connection = new Connection();
    }
    String ip = LogText.word(event, "disconnect ip=");
    String helo = LogText.word(event, " helo=");
    boolean own = event.contains(" relay=Y");
    Refusal refusal = refusal(connection, event);
    if (connection.mails.isEmpty() && refusal.outcome() == Outcome.REFUSED) {
      connection.mails.put(uuid, new LoggedMail(at, uuid));
    }
    for (LoggedMail mail : connection.mails.values()) {
      mail.client(String.valueOf(ip));
      mail.helo = helo == null || helo.equals("\"\"") ? null : helo.replace("\"", "");
      mail.own = own;
      mail.refusal = refusal;
      sink.accept(mail);
    }
  }

  /** By the plugin that denied, or by the last reply. */
  private static Refusal refusal(Connection connection, String event) {
    String reply = LogText.between(event, " lr=\"", "\"");
    if (reply == null || reply.isEmpty() || "45".indexOf(reply.charAt(0)) < 0) {
      return Refusal.NONE;
    }
    Refusal byReply = Refusal.of(reply);
    String plugin = connection.deniedBy;
    if (plugin == null) {
      return byReply.lists().isEmpty() ? new Refusal(Outcome.OTHER, List.of()) : byReply;
    }
    return byReply.outcome() == Outcome.OTHER || !byReply.lists().isEmpty()
        ? byReply
        : Refusal.by(plugin);
  }

  /** Connections without their end have no client: nothing can be said of them. */
  @Override
  public void end() {
    connections.drain().forEach(connection -> givenUp += connection.mails.size());
  }

  @Override
  public long givenUp() {
    return givenUp + connections.givenUp();
  }
}
