package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.blocklists.replay.LogClock.Stamped;
import java.time.Instant;
import java.util.ArrayList;
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
final class HarakaLog extends LogParser {

  private static final String CORE = " [core] ";

  /** Mails of one connection; later ones are counted as given up. */
  private static final int MAX_MAILS = 200;

  private static final int FEWEST_OF_UUID = 8;

  /** Characters of a UUID with the number of the mail; a UUID has 36. */
  private static final int MOST_OF_ID = 60;

  /** Longest name of a plugin that is kept. */
  private static final int MAX_PLUGIN = 255;

  /** The connections by UUID. */
  private final OpenMails<Connection> connections = new OpenMails<>(this::giveUp);

  /** A connection that has not ended, and its mails by their ids, in their order. */
  private static final class Connection {
    private final Map<String, LoggedMail> mails = new LinkedHashMap<>();
    private @Nullable String deniedBy;
  }

  HarakaLog(Consumer<LoggedMail> sink) {
    super(sink);
  }

  @Override
  boolean line(String text, LogClock clock) {
    int core = text.indexOf("]" + CORE);
    int open = text.lastIndexOf('[', core);
    Stamped stamped = clock.read(text);
    if (core < 0 || open < 0 || stamped == null) {
      return false;
    }
    String id = text.substring(open + 1, core);
    int dot = id.indexOf('.');
    String uuid = dot < 0 ? id : id.substring(0, dot);
    if (uuid.length() < FEWEST_OF_UUID || id.length() > MOST_OF_ID || uuid.indexOf(' ') >= 0) {
      return false;
    }
    event(stamped.at(), uuid, id, text.substring(core + 1 + CORE.length()).stripLeading());
    return true;
  }

  private void event(Instant at, String uuid, String id, String event) {
    if (event.startsWith("sender <")) {
      LoggedMail mail = mail(at, uuid, id);
      if (mail != null) {
        mail.from(LogText.between(event, "sender <", "> code="));
      }
    } else if (event.startsWith("recipient <")) {
      LoggedMail mail = mail(at, uuid, id);
      String to = LogText.between(event, "recipient <", "> code=");
      if (mail != null && to != null) {
        mail.to(to);
        if (!mail.hasFrom()) {
          mail.from(LogText.word(event, " sender="));
        }
      }
    } else if (event.startsWith("queue code=")) {
      LoggedMail mail = mail(at, uuid, id);
      if (mail != null && event.startsWith("queue code=OK")) {
        mail.delivered++;
      }
    } else if (event.startsWith("hook=") && event.contains(" retval=DENY")) {
      String plugin = LogText.word(event, " plugin=");
      connection(uuid).deniedBy = plugin == null ? null : LogText.start(plugin, MAX_PLUGIN);
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
    if (!mails.containsKey(id) && mails.size() == MAX_MAILS) {
      givenUp++;
      return null;
    }
    return mails.computeIfAbsent(id, _ -> new LoggedMail(at, id));
  }

  /**
   * Gives up the mails of a connection without its end: they have no client, so nothing can be said
   * of them.
   */
  private void giveUp(Connection connection) {
    givenUp += connection.mails.size();
  }

  private void disconnect(Instant at, String uuid, String event) {
    Connection connection = connection(uuid);
    connections.remove(uuid);
    List<LoggedMail> ended = new ArrayList<>(connection.mails.values());
    String ip = LogText.word(event, "disconnect ip=");
    String helo = LogText.word(event, " helo=");
    boolean own = event.contains(" relay=Y");
    Refusal refusal = refusal(connection, event);
    if (ended.isEmpty() && refusal.outcome() != null && refusal.outcome().isRefusal()) {
      ended.add(new LoggedMail(at, uuid));
    }
    for (LoggedMail mail : ended) {
      mail.client(String.valueOf(ip));
      mail.helo(helo == null || helo.equals("\"\"") ? null : helo.replace("\"", ""));
      mail.own = own;
      mail.refusal = refusal;
      sink.accept(mail);
    }
  }

  /** The refusal, by the plugin that denied, or by the last reply. */
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
        : Refusal.by(plugin, reply.charAt(0) == '4');
  }

  @Override
  void end() {
    connections.drain().forEach(this::giveUp);
  }
}
