package io.bloomgate.architecture.broken.blocklists.generation;

import java.sql.Connection;

/** Breaks: JDBC is used where its door is. */
public record KeepsTables(Connection connection) {}
