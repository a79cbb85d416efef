"""Where parts meet: settings to models, store, retriever, runner. The only place that knows them all."""
