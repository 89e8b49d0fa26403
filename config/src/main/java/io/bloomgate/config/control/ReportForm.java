package io.bloomgate.config.control;

/** The form in which {@link ControlRequest.Report} is answered. */
public enum ReportForm {
  /** One object with all figures. */
  DATA,
  /** One object with the member {@code text}: lines for a person. */
  TEXT,
  /** One object with the member {@code html}: a page that needs no other file. */
  HTML
}
