package io.bloomgate.blocklists.replay;

import org.jspecify.annotations.Nullable;

/** A client in a log of Postfix: {@code name[address]:port}. Immutable. */
record PostfixPeer(String name, String address) {

  static @Nullable PostfixPeer of(String text) {
    int open = text.indexOf('[');
    int close = text.indexOf(']', open + 1);
    return open < 0 || close < 0
        ? null
        : new PostfixPeer(text.substring(0, open), text.substring(open + 1, close));
  }

  /** Postfix logs only names that lead back to the address. */
  void into(LoggedMail mail) {
    mail.client(address);
    mail.name(name.equals("unknown") ? "" : name);
  }
}
