"""From figures to what people see: sentences, charts, evidence, files, and questions to go on with."""
