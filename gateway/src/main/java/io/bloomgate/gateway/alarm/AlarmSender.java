package io.bloomgate.gateway.alarm;

import io.bloomgate.config.settings.AlarmSettings;

/** A way in which alarms reach people. Its methods block within a limit of time. */
interface AlarmSender {

  /** The word for the way, {@code mail} or {@code url}. */
  String word();

  /** The recipient by these settings, for people; empty for none. */
  String recipient(AlarmSettings settings);

  /**
   * Sends it.
   *
   * @return what the other side answered, for people
   */
  String send(AlarmNotice notice, AlarmSettings settings) throws NotSentException;

  /** The notice did not arrive; the message is the reason, for people. */
  final class NotSentException extends Exception {
    private static final long serialVersionUID = 1L;

    NotSentException(String reason) {
      super(reason);
    }

    NotSentException(String reason, Throwable cause) {
      super(reason, cause);
    }
  }
}
