package io.bloomgate.blocklists.replay;

import org.jspecify.annotations.Nullable;

/** A refusal: {@code reject: RCPT from name[address]:port: reply; from=<a> to=<b> helo=<c>}. */
record PostfixReject(
    boolean byMilter,
    String stage,
    String peer,
    String reply,
    @Nullable String from,
    @Nullable String to,
    @Nullable String helo) {

  private static final String REJECT = "reject: ";
  private static final String MILTER_REJECT = "milter-reject: ";

  /** True for a text that begins like one. */
  static boolean isOne(String text) {
    return text.startsWith(REJECT) || text.startsWith(MILTER_REJECT);
  }

  /** Reads one; {@code null} when it is none, or cut. */
  static @Nullable PostfixReject of(String text) {
    int begin = text.startsWith(MILTER_REJECT) ? MILTER_REJECT.length() : REJECT.length();
    int from = text.indexOf(" from ", begin);
    int reply = text.indexOf(": ", from + 1);
    if (!isOne(text) || from < 0 || reply < 0) {
      return null;
    }
    String peer = text.substring(from + " from ".length(), reply);
    boolean byMilter = text.startsWith(MILTER_REJECT);
    return parts(byMilter, text.substring(begin, from), peer, text, reply);
  }

  /**
   * Reads what a filter before the queue said of a whole mail, {@code accept: END-OF-MESSAGE:
   * reply; from=<a> ...}; {@code null} when it is cut.
   */
  static @Nullable PostfixReject byFilter(String text, String client) {
    int stage = text.indexOf(": ");
    int reply = text.indexOf(": ", stage + 1);
    return stage < 0 || reply < 0
        ? null
        : parts(false, text.substring(stage + 2, reply), client, text, reply);
  }

  private static PostfixReject parts(
      boolean byMilter, String stage, String peer, String text, int reply) {
    int envelope = text.indexOf("; from=<", reply);
    String tail = envelope < 0 ? text.substring(reply) : text.substring(envelope);
    int name = tail.lastIndexOf("helo=<");
    return new PostfixReject(
        byMilter,
        stage,
        peer,
        text.substring(reply + 2, envelope < 0 ? text.length() : envelope),
        envelope < 0 ? null : LogText.between(tail, "from=<", ">"),
        LogText.between(tail, " to=<", ">"),
        name < 0 ? null : LogText.between(tail.substring(name), "helo=<", ">"));
  }

  void into(LoggedMail mail) {
    Peer client = Peer.of(peer);
    if (client != null) {
      client.into(mail);
    }
    mail.from(from);
    mail.helo(helo);
    if (to != null) {
      mail.to(to);
    }
  }

  /** A client in a log of Postfix: {@code name[address]:port}. Immutable. */
  record Peer(String name, String address) {

    static @Nullable Peer of(String text) {
      int open = text.indexOf('[');
      int close = text.indexOf(']', open + 1);
      return open < 0 || close < 0
          ? null
          : new Peer(text.substring(0, open), text.substring(open + 1, close));
    }

    /** Postfix logs only names that lead back to the address. */
    void into(LoggedMail mail) {
      mail.client(address);
      mail.name(name.equals("unknown") ? "" : name);
    }
  }
}
