package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.replay.LogClock.Stamped;
import io.bloomgate.blocklists.replay.PostfixReject.Peer;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Logs of Postfix: lines of smtpd, cleanup, qmgr and the delivery agents joined by queue id, and
 * refusals of smtpd and postscreen joined by connection. Recipients that are refused one after the
 * other are one session, as they are one MAIL. Called by {@link LogReplay}.
 */
final class PostfixLog extends LogParser {

  /** Letters and digits of a queue id, short and long. */
  private static final int FEWEST_OF_ID = 5;

  private static final int MOST_OF_ID = 25;

  private static final String PROGRAM = "postfix";

  private static final String CLIENT = "client=";

  /** Begins what a filter before the queue said. */
  private static final String PROXY = "proxy-";

  /**
   * A program with its process, as syslog and the journal write it, {@code postfix/smtpd[101]: },
   * and as RFC 5424 section 6 does, {@code postfix/smtpd 101 - - }. The own line is behind it; of
   * what comes before it only a time is read.
   */
  private static final Pattern TAG =
      Pattern.compile(
          PROGRAM
              + "[\\w.-]*+((?:/[\\w.-]++)++)"
              + "(?:\\[(\\d++)]:?|:|\\h++(\\d++|-)\\h++\\S++\\h++(?:-|\\[.*?](?=\\h)))\\h++\uFEFF?");

  /** Begins the last line of a connection with postscreen. */
  private static final String DISCONNECT = "DISCONNECT ";

  private final OpenMails<LoggedMail> mails = new OpenMails<>(this::giveUp);

  /** One that is pushed out takes no mail with it: its refusal is complete. */
  private final OpenMails<Connection> connections = new OpenMails<>(this::emitRefused);

  /** A connection with smtpd, by process, or with postscreen, by client and port. */
  private static final class Connection {
    private @Nullable Peer peer;
    private @Nullable String helo;
    private @Nullable LoggedMail refused;
    private @Nullable String mail;

    /** The client of a mail that a filter before the queue judges. */
    private @Nullable String client;
  }

  PostfixLog(Consumer<LoggedMail> sink) {
    super(sink);
  }

  /** A line of a Postfix daemon. */
  private record Line(Instant at, String host, String daemon, String process, String text) {

    static @Nullable Line of(String line, LogClock clock) {
      int end = Math.min(line.length(), LogText.MAX_BEFORE);
      Matcher tag = TAG.matcher(line);
      for (int at = line.indexOf(PROGRAM); at >= 0 && at < end; at = next(line, at)) {
        boolean begins = at == 0 || " \t|>]".indexOf(line.charAt(at - 1)) >= 0;
        if (begins && tag.region(at, end).lookingAt()) {
          Stamped stamped = clock.read(line);
          return stamped != null && stamped.rest().length() >= line.length() - at
              ? of(stamped.at(), line, tag)
              : null;
        }
      }
      return null;
    }

    private static int next(String line, int at) {
      return line.indexOf(PROGRAM, at + 1);
    }

    private static Line of(Instant at, String line, Matcher tag) {
      String before = line.substring(0, tag.start()).strip();
      String host = before.substring(before.lastIndexOf(' ') + 1);
      String program = tag.group(1);
      String process = tag.group(2) == null ? tag.group(3) : tag.group(2);
      return new Line(
          at,
          host,
          program.substring(program.lastIndexOf('/') + 1),
          host + "/" + process,
          line.substring(tag.end()));
    }
  }

  @Override
  boolean line(String text, LogClock clock) {
    Line line = Line.of(text, clock);
    if (line == null) {
      return false;
    }
    if (line.text.startsWith("NOQUEUE: ")) {
      noQueue(line, line.text.substring("NOQUEUE: ".length()));
    } else if (line.text.startsWith(PROXY)) {
      byFilter(line, line.text.substring(PROXY.length()));
    } else if (line.daemon.equals("smtpd") && line.text.startsWith("connect from ")) {
      endConnection(line.process);
    } else if (line.daemon.equals("smtpd") && line.text.startsWith("disconnect from ")) {
      endConnection(line.process);
    } else if (line.daemon.equals("postscreen") && line.text.startsWith(DISCONNECT)) {
      endConnection(line.host + "/" + line.text.substring(DISCONNECT.length()));
    } else {
      int colon = line.text.indexOf(": ");
      if (colon > 0 && LogText.isId(line.text.substring(0, colon), FEWEST_OF_ID, MOST_OF_ID)) {
        String id = line.text.substring(0, colon);
        ofMail(line, line.host + "/" + id, id, line.text.substring(colon + 2));
      }
    }
    return true;
  }

  /** A refusal before any recipient was accepted. */
  private void noQueue(Line line, String text) {
    if (text.startsWith(CLIENT)) {
      Connection connection = connection(line.process, Peer.of(text));
      connection.client = LogText.start(text.substring(CLIENT.length()), LogText.MAX_BEFORE);
      return;
    }
    PostfixReject reject = PostfixReject.of(text);
    if (reject == null) {
      return;
    }
    boolean screen = line.daemon.equals("postscreen");
    String key = screen ? line.host + "/" + reject.peer() : line.process;
    LoggedMail mail = new LoggedMail(line.at, "");
    reject.into(mail);
    mail.refusal = Refusal.of(reject.reply());
    if (screen && reject.stage().equals("CONNECT")) {
      sink.accept(mail);
      return;
    }
    Connection connection = connection(key, Peer.of(reject.peer()));
    if (reject.helo() != null) {
      connection.helo = LogText.domain(reject.helo());
    }
    LoggedMail before = connection.refused;
    if (before == null || !mail.hasSenderOf(before)) {
      emitRefused(connection);
      connection.refused = mail;
    } else if (reject.to() != null) {
      before.to(reject.to());
    }
  }

  /**
   * Reads the verdict of a filter before the queue on a whole mail, {@code accept: END-OF-MESSAGE:
   * reply; from=...}: a reply that accepts names the queue id of the mail that the filter sent on.
   */
  private void byFilter(Line line, String text) {
    Connection connection = connections.get(line.process);
    String client = connection == null ? null : connection.client;
    PostfixReject said = client == null ? null : PostfixReject.byFilter(text, client);
    if (client == null || said == null) {
      return;
    }
    String id = LogText.word(said.reply(), "queued as ");
    LoggedMail queued = id == null ? null : mails.get(line.host + "/" + id);
    if (queued != null) {
      queued.helo(said.helo());
      queued.own |= isOfUser(client);
    } else if (text.startsWith("reject")) {
      LoggedMail mail = new LoggedMail(line.at, "");
      said.into(mail);
      mail.own = isOfUser(client);
      mail.refusal = Refusal.of(said.reply());
      sink.accept(mail);
    }
  }

  /** The open one; a line about another client begins another, whose begin is not in the log. */
  private Connection connection(String key, @Nullable Peer peer) {
    Connection connection = connections.get(key);
    if (connection != null
        && peer != null
        && connection.peer != null
        && !connection.peer.address().equals(peer.address())) {
      endConnection(key);
      connection = null;
    }
    if (connection == null) {
      connection = new Connection();
      connection.peer = peer;
      connections.put(key, connection);
    }
    return connection;
  }

  private void emitRefused(Connection connection) {
    if (connection.refused != null) {
      sink.accept(connection.refused);
      connection.refused = null;
    }
  }

  private void endConnection(String key) {
    Connection connection = connections.remove(key);
    if (connection != null) {
      emitRefused(connection);
      endUnfinished(connection);
    }
  }

  /** A mail whose content did not come ends with its connection, or with the next mail. */
  private void endUnfinished(Connection connection) {
    String id = connection.mail;
    LoggedMail mail = id == null ? null : mails.get(id);
    if (id != null && mail != null && !mail.whole) {
      mails.remove(id);
      finish(mail);
    }
    connection.mail = null;
  }

  private void ofMail(Line line, String key, String id, String text) {
    if (line.daemon.equals("smtpd") && text.startsWith(CLIENT)) {
      begin(line, key, id, text);
      return;
    }
    LoggedMail mail = mails.get(key);
    if (mail == null) {
      if (!line.daemon.equals("pickup")) {
        return;
      }
      mail = new LoggedMail(line.at, id);
      mail.own = true;
      mails.put(key, mail);
    }
    ofOpenMail(line, mail, key, text);
  }

  private void ofOpenMail(Line line, LoggedMail mail, String key, String text) {
    if (PostfixReject.isOne(text)) {
      rejected(mail, key, text);
    } else if (line.daemon.equals("cleanup")) {
      mail.whole = true;
    } else if (line.daemon.equals("qmgr") || line.daemon.equals("nqmgr")) {
      queued(mail, key, text);
    } else if (text.startsWith("to=<")) {
      delivered(mail, text);
    }
  }

  private void begin(Line line, String key, String id, String text) {
    Connection connection = connection(line.process, Peer.of(text));
    endUnfinished(connection);
    LoggedMail other = mails.remove(key);
    if (other != null) {
      // A short id is used again once its mail is gone; the end is not in the log.
      finish(other);
    }
    LoggedMail mail = new LoggedMail(line.at, id);
    // A filter that sends the mail on names the client that it had the mail from.
    String original = LogText.word(text, ", orig_client=");
    Peer peer = Peer.of(original == null ? text.substring(CLIENT.length()) : original);
    if (peer != null) {
      peer.into(mail);
    }
    // Behind the queue it is the same mail for the second time.
    String first = LogText.between(text, ", orig_queue_id=", ",");
    mail.own = isOfUser(text) || mails.get(line.host + "/" + first) != null;
    mail.helo(connection.helo);
    mail.earlier = connection.refused;
    connection.refused = null;
    connection.mail = key;
    mails.put(key, mail);
  }

  private static boolean isOfUser(String client) {
    return client.contains(", sasl_method=") || client.contains(", sasl_username=");
  }

  /** A recipient, or the whole mail, is refused after another recipient was accepted. */
  private void rejected(LoggedMail mail, String key, String text) {
    PostfixReject reject = PostfixReject.of(text);
    if (reject == null) {
      return;
    }
    if (reject.helo() != null) {
      mail.helo(reject.helo());
    }
    if (!mail.hasFrom()) {
      mail.from(reject.from());
    }
    if (reject.stage().equals("DATA") || reject.stage().equals("END-OF-MESSAGE")) {
      reject.into(mail);
      mail.refusal =
          reject.byMilter()
              ? Refusal.by("milter", reject.reply().startsWith("4"))
              : Refusal.of(reject.reply());
      mails.remove(key);
      finish(mail);
    }
  }

  private void queued(LoggedMail mail, String key, String text) {
    mail.whole = true;
    if (text.startsWith("from=<")) {
      mail.from(LogText.between(text, "from=<", ">, "));
    } else if (text.startsWith("removed")) {
      mails.remove(key);
      finish(mail);
    }
  }

  private static void delivered(LoggedMail mail, String text) {
    mail.whole = true;
    String original = LogText.between(text, ", orig_to=<", ">, ");
    String to = original != null ? original : LogText.between(text, "to=<", ">, ");
    int behind = Math.max(0, text.indexOf(", dsn="));
    String status = LogText.word(text.substring(behind), ", status=");
    if (status != null) {
      switch (status) {
        case "sent" -> mail.delivered++;
        case "bounced", "expired" -> mail.failed++;
        default -> {}
      }
    }
    if (to != null) {
      mail.to(to);
    }
  }

  /** Nobody knows how it ended; what was refused before it is known. */
  private void giveUp(LoggedMail mail) {
    givenUp++;
    if (mail.earlier != null) {
      sink.accept(mail.earlier);
    }
  }

  private void finish(LoggedMail mail) {
    LoggedMail earlier = mail.earlier;
    mail.earlier = null;
    boolean known = earlier != null && earlier.hasFrom() && mail.hasFrom();
    if (earlier != null && !(known && mail.hasSenderOf(earlier))) {
      sink.accept(earlier);
    }
    sink.accept(mail);
  }

  @Override
  void end() {
    for (Connection connection : connections.drain()) {
      emitRefused(connection);
      endUnfinished(connection);
    }
    for (LoggedMail mail : mails.drain()) {
      if (mail.whole && mail.failed == 0) {
        // It waits in the queue: the server took it.
        mail.delivered++;
      }
      finish(mail);
    }
  }
}
